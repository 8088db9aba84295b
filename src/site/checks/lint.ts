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
}

export type LinterName = 'vale' | 'markdownlint' | 'cspell'

/** Runs the installed linters for which the tree has a configuration. Never throws when a linter fails. */
export type Lint = (input: {
  tree: LintTree
  pages: readonly { path: string; text: string }[]
  signal?: AbortSignal | undefined
}) => Promise<LintMessage[]>
