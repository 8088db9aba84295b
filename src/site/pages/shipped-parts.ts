/** What a generator brings itself and pages may use: none of it runs anything that a page gives it. */
export interface ShippedParts {
  /** Elements that stand for components. */
  components?: readonly string[]
  /** Names of directives, containers, admonitions and blocks that only format what is in them. */
  directives?: readonly string[]
  /** Names of roles that format a word or lead to another place of the site. */
  roles?: readonly string[]
  /** Names of calls of its templates: shortcodes, tags and filters of addresses. */
  calls?: readonly string[]
  /** Folders, below any folder above a page, in which files that pages take in are looked up. */
  includeFolders?: readonly string[]
  /** The path that its own notation for a file of the site stands for. */
  includedPath?: (given: string) => string | undefined
}

export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}
