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
  | 'navigation'
  | 'redirect'
  | 'route'
  | 'fence'
  | 'data'
  | 'openapi'
  | 'term'
  | 'conflict'
  | 'vale'
  | 'markdownlint'
  | 'cspell'

/** A problem of one file, before it is known which version of the file it is of. */
export interface Finding extends Omit<Problem, 'path'> {
  /** What makes it the same problem in another version of the file; its address or message when not given. */
  same?: string
  /** As many as the other version has are old, whichever they are. */
  counted?: boolean
}

const maxShown = 200

/** A text of the repository in a sentence: quoted, and not longer than a person reads. */
export function short(text: string, length = maxShown): string {
  return JSON.stringify(text.length > length ? `${text.slice(0, length)}…` : text)
}
