import { createHash } from 'node:crypto'

/** Raised when pages are parsed differently, so that all stored pages are parsed again. */
export const parserVersion = 17

/** Identifies everything that parsing a page depends on beside its own text. */
export function fingerprintOf(
  project: { root: string },
  site: { framework: string; configuration: readonly string[] },
): string {
  return `${startOf(project)}${hash([site.framework, site.configuration])}`
}

/** Whether a commit that was parsed with this fingerprint would be parsed the same way again. */
export function isParsedAlike(fingerprint: string | null, project: { root: string }): boolean {
  return fingerprint?.startsWith(startOf(project)) === true
}

function startOf({ root }: { root: string }): string {
  return `${hash([parserVersion, root])} `
}

function hash(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
