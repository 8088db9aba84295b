import { decodeText } from '../../../site/text/encoding.ts'
import type { ActivePart } from './active-part.ts'
import { activeParts } from './active-parts.ts'
import type { BaseSite } from './base-site.ts'
import type { Violation } from './violation.ts'
import type { FileDifference } from './file-difference.ts'
import { findSecrets } from './find-secrets.ts'
import { fileTest } from './include-parts.ts'
import { embeddingParts } from './embedding-parts.ts'
import { mintlifyViolations } from './check-mintlify.ts'

const maxSearches = 60
const maxRead = 12

/** Secrets, and what runs, loads or includes something, as far as a diff adds it. */
export async function checkContent(changes: readonly FileDifference[], site: BaseSite): Promise<Violation[]> {
  return [
    ...secretViolations(changes, site),
    ...(await mintlifyViolations(changes, site)),
    ...(await activeViolations(changes, site)),
  ]
}

function secretViolations(changes: readonly FileDifference[], { begin }: BaseSite): Violation[] {
  const known = new Set(changes.flatMap(({ before }) => textOf(before).split(/\r?\n/)))
  return changes.flatMap(({ path, before, after }) => {
    if (before === undefined && findSecrets([{ text: path, line: 1 }]).length > 0)
      return [
        {
          code: 'secret' as const,
          path: '',
          message: 'The name of a new file holds what looks like a secret',
        },
      ]
    if (after !== undefined) begin?.(path, after)
    const lines = textOf(after)
      .split(/\r?\n/)
      .map((text, index) => ({ text, line: index + 1 }))
    return findSecrets(lines, ({ text }) => !known.has(text)).map(({ kind, line }) => ({
      code: 'secret' as const,
      path,
      line,
      message: `It would add what looks like a secret (${kind}): use a placeholder such as YOUR_KEY`,
    }))
  })
}

async function activeViolations(changes: readonly FileDifference[], site: BaseSite): Promise<Violation[]> {
  const isFile = fileTest(site.paths)
  const contents = new Map(changes.map(({ path, after }) => [path, after]))
  const embeds = (text: string, at: 'before' | 'after') =>
    embeddingParts(text, site.paths, async (path) =>
      textOf(at === 'after' && contents.has(path) ? contents.get(path) : await site.read(path)),
    )
  const read = async (
    path: string,
    content: Uint8Array | undefined,
    at?: 'before' | 'after',
  ): Promise<ActivePart[]> => {
    if (content === undefined || site.begin?.(path, content) === false) return []
    const text = textOf(content)
    const dialect = site.dialectOf(path)
    // Of the rest of the base only what is sure to be alive is asked for.
    const parts = await activeParts(path, text, { dialect, isFile, isSure: at === undefined })
    return at === undefined ? parts : [...parts, ...(await embeds(text, at))]
  }
  const known = new Set<string>()
  for (const { path, before } of changes)
    for (const part of await read(path, before, 'before')) known.add(nameOf(path, part))
  const searched = new Set<string>()
  const opened = new Set<string>()
  const isKnown = async (path: string, part: ActivePart): Promise<boolean> => {
    const names = sameOf(path, part)
    const has = () => names.some((name) => known.has(name))
    const { search } = part
    if (has()) return true
    if (search.trim().length < 3 || searched.has(search) || searched.size >= maxSearches) return false
    searched.add(search)
    const files = (await site.filesWith(search)).filter((file) => !opened.has(file)).slice(0, maxRead)
    for (const file of files) {
      opened.add(file)
      for (const one of await read(file, await site.read(file))) known.add(nameOf(file, one))
    }
    return has()
  }
  const violations: Violation[] = []
  for (const { path, after } of changes) {
    const told = new Set<string>()
    for (const part of await read(path, after, 'after')) {
      const name = nameOf(path, part)
      if (told.has(name) || (await isKnown(path, part))) continue
      told.add(name)
      // What is told must not tell a secret.
      const isSecret = findSecrets([{ text: part.what, line: 1 }]).length > 0
      const what = isSecret ? 'something that runs or loads, with what looks like a secret in it' : part.what
      violations.push({ code: 'active', path, line: part.line, message: `It would add ${what}` })
    }
  }
  return violations
}

const page = /\.(?:md|mdx|markdown|mdown|rst|adoc)$/i
const data = /\.(?:jsonc?|ya?ml)$/i

/** What a part is known by: it is something else in a file of another kind, and while it sleeps. Hosts are the same anywhere. */
function nameOf(path: string, { key, isAsleep = false }: ActivePart): string {
  const kind = page.test(path) ? 'page' : data.test(path) ? 'data' : 'text'
  return `${isAsleep ? 'asleep' : 'awake'} ${/^(?:image|frame) /.test(key) ? 'any' : kind} ${key}`
}

/** What a part is nothing new beside: the same, of a page, or awake when it sleeps itself. */
function sameOf(path: string, part: ActivePart): string[] {
  const { isAsleep: _, ...awake } = part
  return [path, 'page.md'].flatMap((one) => [nameOf(one, part), nameOf(one, awake)])
}

function textOf(content: Uint8Array | undefined): string {
  return content === undefined ? '' : (decodeText(content)?.text ?? '')
}
