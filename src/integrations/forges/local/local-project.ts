import type { Store, Tx } from '../../../store/database.ts'
import type { Repository } from '../../git/git.ts'
import type { Remote } from '../../git/remote.ts'
import type { PullRequestRow } from './pull-requests.ts'

/** One project's repository and the pull requests that this server keeps for it. */
export interface LocalProject {
  id: string
  domain: string
  /** The mirror, and the repository on this server that it mirrors and that merges are pushed to. */
  repository: Repository
  remote: Remote
}

export interface LocalForgePorts {
  store: Store
  /** Runs in the transaction that merges, closes or reopens a pull request. */
  onStateChange: (tx: Tx, change: StateChange) => Promise<void>
}

export interface StateChange {
  projectId: string
  number: number
  state: 'open' | 'merged' | 'closed'
  /** The name of the person who did it here; undefined for what was found done in the repository. */
  by?: string | undefined
}

/**
 * The path of a pull request on this server. It has no origin, because the server's address may change. The token
 * lets readers in without a session.
 */
export function pullRequestLink(
  project: Pick<LocalProject, 'domain'>,
  row: Pick<PullRequestRow, 'number' | 'token'>,
): string {
  return `/projects/${encodeURIComponent(project.domain)}/pulls/${row.number}?token=${row.token}`
}
