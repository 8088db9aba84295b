import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { SearchLog } from '../features/assistant/insights/searches.ts'
import type { Indexes } from '../features/docs/indexes.ts'
import type { OpenConnection } from '../features/connections/open-connection.ts'
import type { Hosts } from '../integrations/forges/hosts.ts'
import type { Project } from '../features/projects/projects.ts'
import type { Git, Repository } from '../integrations/git/git.ts'
import type { Remote } from '../integrations/git/remote.ts'
import type { Machine } from '../integrations/machine/machine.ts'
import type { Models } from '../integrations/models/model.ts'
import type { Store } from '../store/database.ts'
import type { SecretKey } from '../lib/secret-box.ts'
import type { Queue } from '../store/queue.ts'

/**
 * An organization's projects of one repository share its mirror. Projects that push to forks have mirrors of their own.
 */
export type MirroredProject = Pick<Project, 'kind' | 'location' | 'organizationId'> & { id?: string }

/** What both servers and workers need. */
export interface Services {
  config: Config
  log: Logger
  git: Git
  store: Store
  queue: Queue
  indexes: Indexes
  searchLog: SearchLog
  models: Models
  machine: Machine
  /** Encrypts secrets at rest. */
  secretKey: SecretKey
  /** Opens or creates the mirror. `isUse` is false where that should not count as a use. */
  mirror(project: MirroredProject, options?: { isUse: boolean }): Promise<Repository>
  /** The mirror if there is one. This neither creates it nor counts as a use. */
  presentMirror(project: MirroredProject): Promise<Repository | undefined>
  /** Like `mirror`, but fetched first when it is empty, lacks one of the commits or is to be `fresh`. */
  filledMirror(
    project: Project,
    commits?: readonly string[],
    options?: { fresh?: boolean },
  ): Promise<Repository>
  /** The project's remote, with the credential of its host. */
  remote(
    project: Pick<Project, 'id' | 'kind' | 'location' | 'settings' | 'formerBranchPrefixes'>,
  ): Promise<Remote>
  /**
   * The remote of another repository that a project reads, with the project's credential if it is on the same site,
   * or the server's.
   */
  readable(url: string, projectId: string): Promise<Remote>
  hosts: Hosts
  /** Connects to public addresses only, whatever the operator has named: for addresses that stand in repositories. */
  fetchPublic: typeof fetch
  openConnection: OpenConnection
  /**
   * Finds the mirror of a project that is about to be removed, and returns a function that deletes it unless
   * another project uses it.
   */
  prepareDropMirror(project: MirroredProject): Promise<() => Promise<void>>
  close(): Promise<void>
}
