import type { Store, Tx } from '../../../store/database.ts'
import type { Repository } from '../../git/git.ts'
import type { Remote } from '../../git/remote.ts'
import type { PullRequestRow } from './pull-requests.ts'

/** One project's repository and the pull requests that this server keeps for it. */
export interface LocalProject {
  id: string
  domain: string
  /** Our mirror, and the repository on this server that it mirrors and that merges go to. */
  repository: Repository
  remote: Remote
}

export interface LocalForgePorts {
  store: Store
  /** Part of the transaction that ends a pull request, however that came about. */
  onStateChange: (tx: Tx, change: StateChange) => Promise<void>
}

export interface StateChange {
  projectId: string
  number: number
  state: 'merged' | 'closed'
}

/**
 * Where a pull request is, as a path on this server: its address may change after the link was written down. The token
 * lets readers without a session in.
 */
export function pullRequestLink(
  project: Pick<LocalProject, 'domain'>,
  row: Pick<PullRequestRow, 'number' | 'token'>,
): string {
  return `/projects/${encodeURIComponent(project.domain)}/pulls/${row.number}?token=${row.token}`
}
