import { decodeText } from '../text/encoding.ts'
import type { ActivePart } from './active-part.ts'
import { type PageDialect, activeParts } from './active-parts.ts'
import { hostsIn, isExampleHost } from './address.ts'
import type { Violation } from './violation.ts'
import type { FileDifference } from './file-difference.ts'
import { findSecrets } from './find-secrets.ts'
import { fileTest } from './include-parts.ts'

/** What the judge has to know of the tree that a job started from. */
export interface BaseSite {
  /** Of the base and of the tree as it is now. */
  paths: readonly string[]
  /** How many pages the site had. */
  pages: number
  dialectOf(path: string): PageDialect
  /** Files of the base with this text, in which order ever: a few are enough. */
  filesWith(text: string): Promise<readonly string[]>
  read(path: string): Promise<Uint8Array | undefined>
}

const maxSearches = 60
const maxRead = 12

/** Secrets, and what runs, loads or includes something, as far as a diff adds it. */
export async function checkContent(changes: readonly FileDifference[], site: BaseSite): Promise<Violation[]> {
  return [...secretViolations(changes), ...(await activeViolations(changes, site))]
}

function secretViolations(changes: readonly FileDifference[]): Violation[] {
  const known = new Set(changes.flatMap(({ before }) => textOf(before).split(/\r?\n/)))
  return changes.flatMap(({ path, after }) => {
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
  const read = async (path: string, content: Uint8Array | undefined): Promise<ActivePart[]> =>
    content === undefined ? [] : activeParts(path, textOf(content), { dialect: site.dialectOf(path), isFile })
  const known = new Set<string>()
  for (const { path, before } of changes) for (const { key } of await read(path, before)) known.add(key)
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
    for (const part of await read(path, after)) {
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

const maxHosts = 100

/** Hosts that a diff names in any way and the base nowhere, in their ASCII form. */
export async function newHosts(
  changes: readonly FileDifference[],
  site: Pick<BaseSite, 'filesWith'>,
): Promise<string[]> {
  const before = new Set(changes.flatMap((change) => [...hostsIn(textOf(change.before)).keys()]))
  const added = new Set(changes.flatMap((change) => [...hostsIn(textOf(change.after)).keys()]))
  const found: string[] = []
  for (const host of [...added].sort()) {
    if (before.has(host) || isExampleHost(host) || found.length >= maxHosts) continue
    if ((await site.filesWith(host)).length === 0) found.push(host)
  }
  return found
}

function textOf(content: Uint8Array | undefined): string {
  return content === undefined ? '' : (decodeText(content)?.text ?? '')
}
