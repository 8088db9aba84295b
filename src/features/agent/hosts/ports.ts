import type { HostedRepository } from '../../../integrations/forges/host.ts'
import type { Machine } from '../../../integrations/machine/machine.ts'
import type { Store, Tx } from '../../../store/database.ts'
import type { Queue } from '../../../store/queue.ts'

/** A project's repository on a git host, as following it needs it. */
export interface HostedProject {
  id: string
  domain: string
  hosted: HostedRepository
  /** Words that call the agent after an `@`. */
  names: readonly string[]
  /** Whose comments are tasks besides those of people who may write: logins, or what names an account for good. */
  trusted: readonly string[]
  /** What only this server and its host know. */
  secret: string
  /** Seconds between looks at a pull request that the host does not tell of. */
  interval: number
}

export interface HostFollowPorts {
  store: Store
  queue: Pick<Queue, 'send'>
  machine: Pick<Machine, 'trouble'>
  /** Undefined when there is nothing to ask: the project is gone, or its credential. */
  open: (projectId: string) => Promise<HostedProject | undefined>
  /** Counts a follow-up against the limit of the project. @throws AppError `rate_limited` */
  takeLimit: (tx: Tx, projectId: string) => Promise<void>
  /** The base of a project has moved. */
  onMerge: (tx: Tx, projectId: string) => Promise<void>
  jobLink: (project: { domain: string }, jobId: string) => string
  reportError: (error: unknown, projectId: string) => void
  now: () => Date
  stopping: AbortSignal
}
