import type { LinterName, LintMessage, LintTree } from '../../site/checks/lint.ts'

/** Runs linters, where programs may be run. */
export interface LinterPrograms {
  has: (program: string) => Promise<boolean>
  /** In a new folder with these files; undefined when the program is not there, fails or is late. */
  run: (program: string, call: LinterCall, signal?: AbortSignal) => Promise<LinterOutput | undefined>
}

export interface LinterCall {
  args: readonly string[]
  stdin: string
  files: readonly LintFile[]
}

export interface LinterOutput {
  stdout: string
  stderr: string
  /** The folder that the program ran in. */
  folder: string
}

/** The port: how one linter is set up and understood. */
export interface Linter {
  name: LinterName
  /** The program's name on the PATH. */
  program: string
  /**
   * Reads the tree's configuration for the pages. Undefined when there is none, or when it means nothing without
   * code or files from elsewhere, which are never used.
   */
  prepare: (tree: LintTree, pages: readonly string[]) => Promise<Prepared | undefined>
  /** Its arguments for pages that are named relative to its folder. */
  call: (pages: readonly string[]) => { args: string[]; stdin?: string }
  /** Reads findings from its output, and ignores everything else. */
  parse: (output: { stdout: string; stderr: string }) => Omit<LintMessage, 'linter'>[]
}

export interface Prepared {
  /** Where in the tree it runs: empty, or with a slash at its end. Holds all of the pages. */
  folder: string
  /** Files that are written beside the pages: data under fixed names. */
  files: LintFile[]
}

export interface LintFile {
  /** Relative to the folder that it runs in. */
  path: string
  content: Uint8Array | string
}
