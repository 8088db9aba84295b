import type { HostedRepository } from '../../../integrations/forges/host.ts'
import type { Machine } from '../../../integrations/machine/machine.ts'
import type { CheckColumn } from '../../../store/columns.ts'
import type { Store, Tx } from '../../../store/database.ts'
import type { Queue } from '../../../store/queue.ts'

/** A project's repository on a git host, as the host follower needs it. */
export interface HostedProject {
  id: string
  domain: string
  hosted: HostedRepository
  /** Names that mention the agent after an `@`. */
  names: readonly string[]
  /**
   * Accounts whose comments are tasks besides those of people with write access: logins, or the host's permanent
   * ids.
   */
  trusted: readonly string[]
  /** A secret that only this server and its host know. */
  secret: string
  /** Seconds between polls of a pull request for which the host sends no webhooks. */
  interval: number
}

export interface HostFollowPorts {
  store: Store
  queue: Pick<Queue, 'send'>
  machine: Pick<Machine, 'trouble'>
  /** Undefined when the project or its credential is gone. */
  open: (projectId: string) => Promise<HostedProject | undefined>
  /** Counts a follow-up against the limit of the project. @throws AppError `rate_limited` */
  takeLimit: (tx: Tx, projectId: string) => Promise<void>
  /** The lines of a file of a commit, as far as they are at hand. */
  readLines: (projectId: string, commit: string, path: string) => Promise<readonly string[]>
  /** The problems of a commit that people made. @throws when it is not at hand */
  checkCommit: (projectId: string, made: { base: string; commit: string }) => Promise<CheckColumn[]>
  /** Called when the base branch of a project has moved. */
  onMerge: (tx: Tx, projectId: string) => Promise<void>
  jobLink: (project: { domain: string }, jobId: string) => string
  reportError: (error: unknown, projectId: string) => void
  now: () => Date
  stopping: AbortSignal
}
