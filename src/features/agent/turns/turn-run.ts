import type { Forge } from '../../../integrations/forges/forge.ts'
import type { Person } from '../../../integrations/git/trees/commit-tree.ts'
import type { Machine } from '../../../integrations/machine/machine.ts'
import type { Queue } from '../../../store/queue.ts'
import type { JobProject } from '../job-project.ts'
import type { JobRow } from '../jobs.ts'
import type { JobPorts } from '../ports.ts'
import type { TurnRow } from '../turns.ts'
import type { OpenToolbox, Toolbox } from '../workspace/toolbox.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Budget, RunLimits } from './budget.ts'

/** What every part of a turn's run needs. */
export interface TurnRun {
  ports: RunPorts
  project: JobProject
  forge: Forge
  job: JobRow
  /** Aborts when the turn is no longer ours to run, or the process ends. */
  signal: AbortSignal
  budget: Budget
  /** Milliseconds that runners have worked on the turn so far. */
  worked: () => number
  slice: Slice
}

export interface TurnTools {
  workspace: Workspace
  toolbox: Toolbox
}

/** A turn whose starting point is pinned: it stays the same however often the turn is taken up again. */
export interface StartedTurn {
  row: TurnRow
  /** A commit of the repository, or a merge of branch and base that was made for this turn. */
  startCommit: string
  /** Of the commit to publish, where `startCommit` is such a merge. */
  parents: readonly string[] | undefined
  /** The base's commit at the start. */
  baseCommit: string
  branch: string
  /** Where the branch stood, which the push expects; undefined when it did not exist. */
  branchCommit: string | undefined
  startedAt: Date
}

/** A runner's time with one job. */
export interface Slice {
  /** Called before each step with how many the turn has: whether other jobs wait and have waited long enough. */
  isOver: (steps: number) => Promise<boolean>
}

/** What running jobs needs. */
export interface RunPorts extends JobPorts {
  queue: Pick<Queue, 'send' | 'waitingKeys'>
  machine: Pick<Machine, 'trouble' | 'look'>
  openProject: (projectId: string) => Promise<JobProject | undefined>
  /** Undefined where nothing can be published. @throws TurnFailure that says why nothing can be */
  forgeFor: (project: JobProject) => Forge | undefined | Promise<Forge | undefined>
  /**
   * What a project whose branch `gone` is gone reads instead; `followed` is false where people have to choose it.
   * Undefined when there is nothing. @throws AppError when the repository cannot be asked
   */
  followDefault: (
    project: JobProject,
    gone: string,
  ) => Promise<{ branch: string; followed: boolean } | undefined>
  openToolbox: OpenToolbox
  /** Paths of pages that a prompt is likely about: those it names, and the best of a search. */
  likelyPages: (project: JobProject, prompt: string) => Promise<string[]>
  author: Person
  /** Where a person follows the job. */
  jobLink: (project: { domain: string }, jobId: string) => string
  limits: RunLimits
  /** Told what readers of the job are only told in general words. */
  reportError?: (error: unknown) => void
  /** Aborts when this process is to end: turns stop where they are and are taken up again later. */
  stopping: AbortSignal
}
