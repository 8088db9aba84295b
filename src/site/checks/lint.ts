/** The tree that a linter's configuration and styles are taken from. Its paths are safe to write below a folder. */
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

/** Runs the linters that the tree has a configuration for, and that are installed. Never throws for what they do. */
export type Lint = (input: {
  tree: LintTree
  pages: readonly { path: string; text: string }[]
  signal?: AbortSignal | undefined
}) => Promise<LintMessage[]>
