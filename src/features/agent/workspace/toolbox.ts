import type { ToolSet } from 'ai'
import type { CheckColumn } from '../../../store/tables.ts'
import type { JobProject } from '../job-project.ts'
import type { Workspace } from './workspace.ts'

/** The port between the loop and its tools: what one turn can do to its workspace. */
export interface Toolbox extends Disposable {
  /** As the model sees them: descriptions and input schemas, nothing that executes. */
  tools: ToolSet
  /** Runs one call. What the model did wrong is an answer, `{error: {code, message}}`, never thrown. */
  call: (name: string, input: unknown, signal: AbortSignal) => Promise<unknown>
  /** A call in a few words for the people who watch: `Read guides/install.md`. */
  describe: (name: string, input: unknown) => string
  /** Problems of the tree as it is now that the base does not have, and warnings of the repository's own linters. */
  newProblems: (signal: AbortSignal) => Promise<CheckColumn[]>
  /** Hosts that the changes link to and the base does not: for the reviewer. */
  newHosts: (signal: AbortSignal) => Promise<string[]>
  /** What the changes do that the policy forbids, one sentence each. */
  violations: (signal: AbortSignal) => Promise<string[]>
  /**
   * The same for a tree that was written, against the commit that the turn started from; `since` is where the branch of
   * the job left its base.
   */
  violationsOfTree?: (
    input: { from: string; tree: string; since?: string | undefined },
    signal: AbortSignal,
  ) => Promise<string[]>
}

export type OpenToolbox = (input: {
  project: JobProject
  workspace: Workspace
  /** What this turn has already called, in order: which files it has read stands there. */
  calls: readonly { name: string; input: unknown; output: unknown }[]
}) => Promise<Toolbox>
