import { decodeText } from '../text/encoding.ts'
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
    ...secretViolations(changes),
    ...(await mintlifyViolations(changes, site)),
    ...(await activeViolations(changes, site)),
  ]
}

function secretViolations(changes: readonly FileDifference[]): Violation[] {
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
    if (content === undefined) return []
    const text = textOf(content)
    const dialect = site.dialectOf(path)
    // Of the rest of the base only what is sure to be alive is asked for.
    const parseCode = at === undefined ? undefined : site.parseCode
    const parts = await activeParts(path, text, { dialect, isFile, parseCode })
    return at === undefined ? parts : [...parts, ...(await embeds(text, at))]
  }
  const known = new Set<string>()
  for (const { path, before } of changes)
    for (const { key } of await read(path, before, 'before')) known.add(key)
  const searched = new Set<string>()
  const opened = new Set<string>()
  const isKnown = async ({ key, search }: ActivePart): Promise<boolean> => {
    if (known.has(key)) return true
    if (search.trim().length < 3 || searched.has(search) || searched.size >= maxSearches) return false
    searched.add(search)
    const files = (await site.filesWith(search)).filter((file) => !opened.has(file)).slice(0, maxRead)
    for (const file of files) {
      opened.add(file)
      for (const part of await read(file, await site.read(file))) known.add(part.key)
    }
    return known.has(key)
  }
  const violations: Violation[] = []
  for (const { path, after } of changes) {
    const told = new Set<string>()
    for (const part of await read(path, after, 'after')) {
      if (told.has(part.key) || (await isKnown(part))) continue
      told.add(part.key)
      // What is told must not tell a secret.
      const isSecret = findSecrets([{ text: part.what, line: 1 }]).length > 0
      const what = isSecret ? 'something that runs or loads, with what looks like a secret in it' : part.what
      violations.push({ code: 'active', path, line: part.line, message: `It would add ${what}` })
    }
  }
  return violations
}

function textOf(content: Uint8Array | undefined): string {
  return content === undefined ? '' : (decodeText(content)?.text ?? '')
}
