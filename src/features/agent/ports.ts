import type { Person } from '../../integrations/git/commit-tree.ts'
import type { Forge } from '../../integrations/forges/forge.ts'
import type { Machine } from '../../integrations/machine/machine.ts'
import type { Models } from '../../integrations/models/model.ts'
import type { Store } from '../../store/database.ts'
import type { Queue } from '../../store/queue.ts'
import type { JobProject } from './job-project.ts'
import type { OpenToolbox } from './toolbox.ts'

/** What writing jobs down needs. */
export interface JobPorts {
  store: Store
  queue: Pick<Queue, 'send'>
  models: Models
  machine: Pick<Machine, 'trouble'>
}

/** What running them needs besides. */
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

export interface RunLimits {
  /** Model calls of one turn. */
  steps: number
  /** Tokens of one turn, in and out together; undefined: no limit. */
  tokens: number | undefined
  /** Millionths of a US dollar; undefined: any amount. */
  cost: number | undefined
  /** Milliseconds of one model call, retries included. */
  call: number
  /** Milliseconds of work on a whole turn. */
  turn: number
  /** What a job may take of a runner at once while others wait: whatever is reached first. */
  slice: { steps: number; milliseconds: number }
}

export const defaultLimits: RunLimits = {
  steps: 100,
  tokens: undefined,
  cost: undefined,
  call: 300_000,
  turn: 3_600_000,
  slice: { steps: 20, milliseconds: 60_000 },
}
