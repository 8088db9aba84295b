/** Something that a reader of the site would stumble over. */
export interface Problem {
  check: CheckName
  /** Absent: an error. */
  severity?: 'warning'
  path: string
  line: number
  message: string
  hint?: string
  href?: string
  /** What `href` could be instead, best first; exactly one only when it is certain. */
  suggestions?: string[]
}

type CheckName =
  | 'link'
  | 'anchor'
  | 'image'
  | 'snippet'
  | 'front_matter'
  | 'mdx'
  | 'markup'
  | 'navigation'
  | 'redirect'
  | 'route'
  | 'fence'
  | 'table'
  | 'heading'
  | 'data'
  | 'openapi'
  | 'term'
  | 'conflict'
  | 'vale'
  | 'markdownlint'
  | 'cspell'
  | 'prettier'

/** A problem of one file, before it is known which version of the file it is of. */
export interface Finding extends Omit<Problem, 'path'> {
  /** Identifies the same problem in another version of the file; its address or message by default. */
  same?: string
  /** Findings are compared by number: as many as the other version has count as old. */
  counted?: boolean
}

const maxShown = 200

/** Quotes a text of the repository in a message, and shortens it. */
export function short(text: string, length = maxShown): string {
  return JSON.stringify(text.length > length ? `${text.slice(0, length)}…` : text)
}

/** The findings of a file that an earlier version of it does not have, on whatever line they stand. */
export function onlyNew(found: readonly Finding[], before: readonly Finding[]): Finding[] {
  const known = new Map<string, number>()
  const counted = new Map<string, number>()
  for (const finding of before) add(known, identity(finding), 1)
  const fresh = found.filter((finding) => !take(known, identity(finding)))
  for (const finding of before) {
    if (finding.counted !== true || !take(known, identity(finding))) continue
    add(counted, finding.check, 1)
  }
  return fresh.filter((finding) => finding.counted !== true || !take(counted, finding.check))
}

function identity({ check, same, href, message }: Finding): string {
  return `${check} ${same ?? href ?? message}`
}

function add(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}

function take(counts: Map<string, number>, key: string): boolean {
  const count = counts.get(key) ?? 0
  if (count > 0) counts.set(key, count - 1)
  return count > 0
}
