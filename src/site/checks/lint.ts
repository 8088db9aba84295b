/**
 * The tree from which a linter's configuration and styles are read. Its paths can safely be written below a folder.
 */
export interface LintTree {
  list: () => Iterable<string>
  read: (path: string) => Promise<Uint8Array | undefined>
}

export interface LintMessage {
  linter: LinterName
  path: string
  /** From 1. */
  line: number
  message: string
  /** The name of the rule, where it has one. */
  rule: string | undefined
  /** The page had nothing for this linter to say before: it is of the change, on whatever line. */
  isNew?: true
}

export interface LintPage {
  path: string
  text: string
}

export type LinterName = 'vale' | 'markdownlint' | 'cspell' | 'prettier'

/** Runs the installed linters for which the tree has a configuration. Never throws when a linter fails. */
export type Lint = (input: {
  tree: LintTree
  pages: readonly LintPage[]
  /** Called before a page of one of the two trees is read in this thread; false for one that took too long before. */
  begin?: (tree: 'base' | 'change', path: string) => boolean
  signal?: AbortSignal | undefined
}) => Promise<LintMessage[]>
