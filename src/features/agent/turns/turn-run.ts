import type { Forge } from '../../../integrations/forges/forge.ts'
import type { Budget } from './budget.ts'
import type { JobProject } from '../job-project.ts'
import type { JobRow } from '../jobs.ts'
import type { RunPorts } from '../ports.ts'
import type { Slice } from './slice.ts'
import type { Toolbox } from '../toolbox.ts'
import type { TurnRow } from './turns.ts'
import type { Workspace } from '../workspace/workspace.ts'

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
