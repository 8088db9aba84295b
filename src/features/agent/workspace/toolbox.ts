import type { ToolSet } from 'ai'
import type { IgnoreEntry } from '../../../lib/prompts/ignore-prompt.ts'
import type { CheckColumn, ViolationColumn } from '../../../store/columns.ts'
import type { JobProject } from '../job-project.ts'
import type { FileDifference, Workspace } from './workspace.ts'

/** A text of the model's that says what was changed: of one page where it has a path, or of all of them. */
export interface SaidText {
  text: string
  path?: string
  /** It speaks of the whole pull request, with what earlier turns have changed. */
  isOfWhole?: true
}

/** A sentence of the model's that says of the changes what they do not show. */
export interface UnprovenClaim {
  sentence: string
  /** The page whose reason it stands in. */
  path?: string
  /** False where only names of the sentence are missing, which may be those of code. */
  isSure: boolean
}

/** The port between the loop and its tools: what one turn can do with its workspace. */
export interface Toolbox extends Disposable {
  /** The tools as the model sees them: descriptions and input schemas, nothing that executes. */
  tools: ToolSet
  /** Whether a tool of this name can change a file; true of an unknown one, which may have been meant to. */
  changesFiles: (name: string) => boolean
  /** To be called before the calls of each answer. */
  beginAnswer?: () => void
  /** Runs one call. Errors of the model are returned as `{error: {code, message}}`, never thrown. */
  call: (name: string, input: unknown, signal: AbortSignal) => Promise<unknown>
  /** Describes a call for people who follow the job: `Read guides/install.md`. */
  describe: (name: string, input: unknown) => string
  /** Problems of the current tree that the base does not have, and warnings of the repository's own linters. */
  newProblems: (signal: AbortSignal) => Promise<CheckColumn[]>
  /** An outline of the site at the start of the turn; undefined where it cannot be read in time. */
  overview: (signal: AbortSignal) => Promise<string | undefined>
  /** Hosts that the changes link to and the base does not, to be shown to reviewers. */
  newHosts: (signal: AbortSignal) => Promise<string[]>
  /** Compares texts of the model with the changes; `earlier` are those of the job's branch at the start of the turn. */
  unproven?: (
    input: { texts: readonly SaidText[]; earlier: readonly FileDifference[] },
    signal: AbortSignal,
  ) => Promise<UnprovenClaim[]>
  /** What the policy says of the changes: what it holds, and what it lets pass for a person to look at. */
  violations: (signal: AbortSignal) => Promise<ViolationColumn[]>
  /**
   * The policy violations of a written tree compared with the commit that the turn started from; `since` is the
   * commit at which the job's branch left its base.
   */
  violationsOfTree?: (
    input: { from: string; tree: string; since?: string | undefined },
    signal: AbortSignal,
  ) => Promise<ViolationColumn[]>
}

export type OpenToolbox = (input: {
  project: JobProject
  workspace: Workspace
  /** The prompts of the job so far: deleting many pages has to be asked for. */
  request: string
  /** The one entry that a person lets this turn add to `.docwright/ignore.yml`. */
  ignores?: IgnoreEntry | undefined
  /** The calls of this turn so far, in order. They tell which files it has read. */
  calls: readonly { name: string; output: unknown }[]
  /** Files that earlier turns of the job have made, and its base does not have. */
  unpublished?: readonly string[] | undefined
  /** Whether a merge has left conflicts in the tree, for which there is a tool then. */
  hasConflicts?: boolean | undefined
}) => Promise<Toolbox>

/** Whether it keeps the changes from being published, and is not only there to be looked at. */
export function isHeld({ degree }: Pick<ViolationColumn, 'degree'>): boolean {
  return degree === undefined
}

export function describeViolation({ path, line, message }: ViolationColumn): string {
  if (path === '') return message
  return `${path}${line === null ? '' : `:${line}`}: ${message}`
}
