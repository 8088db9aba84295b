import type { IgnoreEntry } from '../../../lib/prompts/ignore-prompt.ts'
import type { AppError } from '../../../lib/errors.ts'
import type { Forge } from '../../../integrations/forges/forge.ts'
import type { Committer } from '../../../integrations/git/trees/commit-tree.ts'
import type { Machine } from '../../../integrations/machine/machine.ts'
import type { Repository } from '../../../integrations/git/git.ts'
import type { RangeReport } from '../../../site/impact/combine.ts'
import type { Queue } from '../../../store/queue.ts'
import type { JobProject } from '../job-project.ts'
import type { JobRow } from '../jobs.ts'
import type { JobPorts } from '../ports.ts'
import type { TurnRow } from '../turns.ts'
import type { OpenToolbox, Toolbox } from '../workspace/toolbox.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Budget, RunLimits } from './budget.ts'
import type { ShownSources } from './shown-sources.ts'
import type { Step } from './steps.ts'

/** The context that all parts of a running turn share. */
export interface TurnRun {
  ports: RunPorts
  project: JobProject
  forge: Forge
  job: JobRow
  /** Aborts when the turn no longer belongs to this runner, or the process ends. */
  signal: AbortSignal
  budget: Budget
  /** Milliseconds that runners have worked on the turn so far. */
  worked: () => number
  /** Waits for something that is no work of the turn. */
  idle: <T>(wait: () => Promise<T>) => Promise<T>
  slice: TimeSlice
}

export interface TurnTools {
  turn: StartedTurn
  /** All prompts of the job so far. */
  request: string
  /** The one entry that a person lets this turn add to `.docwright/ignore.yml`. */
  ignores?: IgnoreEntry | undefined
  workspace: Workspace
  toolbox: Toolbox
  /** What the model was shown in these steps and before them. */
  shown: (steps: readonly Step[]) => ShownSources
}

/** A turn whose starting point is stored, so that it stays the same however often the turn is resumed. */
export interface StartedTurn {
  row: TurnRow
  /** A commit of the repository, or a merge of branch and base that was made for this turn. */
  startCommit: string
  /** Parents of the commit to publish, when `startCommit` is such a merge. */
  parents: readonly string[] | undefined
  /** The commit of the base at the start. */
  baseCommit: string
  branch: string
  /** The commit of the branch at the start, which the push expects; undefined when the branch did not exist. */
  branchCommit: string | undefined
  startedAt: Date
}

/** The time slice that a runner gives one job. */
export interface TimeSlice {
  /**
   * Called before each step with the number of the turn's steps. Returns whether other jobs have waited long
   * enough.
   */
  isOver: (steps: number) => Promise<boolean>
}

/** The dependencies of running jobs. */
export interface RunPorts extends JobPorts {
  queue: Pick<Queue, 'send'>
  /** Whether jobs wait for a worker, apart from this one. */
  othersWait: (jobId: string) => Promise<boolean>
  machine: Pick<Machine, 'trouble' | 'look'>
  openProject: (projectId: string) => Promise<JobProject | undefined>
  /** Undefined where nothing can be published. @throws TurnFailure that says why nothing can be published */
  forgeFor: (project: JobProject) => Forge | undefined | Promise<Forge | undefined>
  /**
   * Returns the new default branch of a project whose branch `gone` was removed; `followed` is false where people
   * have to choose it. Undefined when there is none.
   * @throws AppError when the repository does not answer
   */
  followDefault: (
    project: JobProject,
    gone: string,
  ) => Promise<{ branch: string; followed: boolean } | undefined>
  /**
   * Asks the host of a project why git was refused. After `renamed` the project has the new address, and `nothing`
   * is wrong for it now. Undefined where there is no host.
   * @param wanted what git was to do
   */
  askHostWhy: (
    projectId: string,
    wanted: 'read' | 'push',
  ) => Promise<
    { type: 'renamed'; path: string } | { type: 'refused'; error: AppError } | { type: 'nothing' } | undefined
  >
  openToolbox: OpenToolbox
  /** Paths of the pages that a prompt probably refers to: those it names, and the best search results. */
  likelyPages: (project: JobProject, prompt: string) => Promise<string[]>
  /**
   * What a change of code touches in the documentation at a commit.
   * @throws ThreadFailure for texts that take too long
   */
  impact: (input: {
    code: { repository: Repository; from: string; to: string }
    docs: { repository: Repository; commit: string; root: string }
    signal: AbortSignal
  }) => Promise<RangeReport>
  /** Who makes the commits. */
  author: Committer
  /** The link to the page of the job. */
  jobLink: (project: { domain: string }, jobId: string) => string
  limits: RunLimits
  /** Called with errors that readers of the job only see in general words. */
  reportError?: (error: unknown) => void
  /** Aborts when this process is to end: turns stop where they are and are resumed later. */
  stopping: AbortSignal
}
