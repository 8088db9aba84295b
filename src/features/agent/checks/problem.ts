/** Something that a reader of the site would stumble over. */
export interface Problem {
  check: 'link' | 'anchor' | 'image' | 'front_matter' | 'navigation'
  path: string
  line: number
  message: string
  hint?: string
  href?: string
  /** What `href` could be instead, best first; exactly one only when it is certain. */
  suggestions?: string[]
}
