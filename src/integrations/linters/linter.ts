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
  /** Where it ran. */
  folder: string
}

/** The port: how one linter is set up and understood. */
export interface Linter {
  name: LinterName
  /** As it is found on the PATH. */
  program: string
  /**
   * Reads the tree's configuration for the pages. Undefined when it has none, or when nothing would be left of what it
   * means without what is never taken: code, and files of other places.
   */
  prepare: (tree: LintTree, pages: readonly string[]) => Promise<Prepared | undefined>
  /** Its arguments for pages that are named relative to its folder. */
  call: (pages: readonly string[]) => { args: string[]; stdin?: string }
  /** Reads what it said; anything that it did not mean as findings is left out. */
  parse: (output: { stdout: string; stderr: string }) => Omit<LintMessage, 'linter'>[]
}

export interface Prepared {
  /** Where in the tree it runs: empty, or with a slash at its end. Holds all of the pages. */
  folder: string
  /** What is written beside the pages: data under names of our own choice. */
  files: LintFile[]
}

export interface LintFile {
  /** Relative to the folder that it runs in. */
  path: string
  content: Uint8Array | string
}
