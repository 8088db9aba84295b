import { changedFiles, type ChangedFile } from '../../git/trees/changed-files.ts'
import { diffTrees } from '../../git/trees/diff-trees.ts'
import { sameSecret } from '../../../lib/ids.ts'
import type { Reader } from '../../../store/database.ts'
import { pullRequestLink, type LocalForgePorts, type LocalProject } from './local-project.ts'
import { readPullRequest, readPullRequests, type PullRequestRow } from './pull-requests.ts'
import { syncPullRequest } from './pull-request-state.ts'

/** A pull request as the dashboard shows it. */
export interface PullRequest {
  number: number
  link: string
  title: string
  /** Markdown, untrusted. */
  body: string
  head: string
  base: string
  state: 'open' | 'merged' | 'closed'
  draft: boolean
  headCommit: string
  /** The merge base, from which the diff is made. */
  baseCommit: string
  mergeCommit: string | undefined
  createdAt: Date
  closedAt: Date | undefined
}

/** Newest first, as last seen: branches are not compared. */
export async function listPullRequests(
  ports: LocalForgePorts,
  project: LocalProject,
  options: { state?: PullRequest['state'] | undefined; limit: number },
): Promise<PullRequest[]> {
  const rows = await readPullRequests(ports.store.db, project.id, options)
  return rows.map((row) => toPullRequest(project, row))
}

/** The present state, after comparing it with the repository's branches. */
export async function readPullRequestDetail(
  ports: LocalForgePorts,
  project: LocalProject,
  number: number,
): Promise<PullRequest | undefined> {
  const row = await readPullRequest(ports.store.db, project.id, number)
  return row && toPullRequest(project, await syncPullRequest(ports, project, row))
}

/** Whether a token from a link lets a reader without a session see the pull request. */
export async function opensPullRequest(
  reader: Reader,
  projectId: string,
  number: number,
  token: string,
): Promise<boolean> {
  const row = await readPullRequest(reader, projectId, number)
  return row !== undefined && sameSecret(row.token, token)
}

export async function pullRequestDiff(
  project: Pick<LocalProject, 'repository'>,
  { baseCommit, headCommit }: Pick<PullRequest, 'baseCommit' | 'headCommit'>,
): Promise<{ text: string; truncated: boolean; files: readonly ChangedFile[] }> {
  const [diff, files] = await Promise.all([
    diffTrees(project.repository, baseCommit, headCommit),
    changedFiles(project.repository, baseCommit, headCommit),
  ])
  return { ...diff, files }
}

function toPullRequest(project: LocalProject, row: PullRequestRow): PullRequest {
  return {
    number: row.number,
    link: pullRequestLink(project, row),
    title: row.title,
    body: row.body,
    head: row.head,
    base: row.base,
    state: row.state,
    draft: row.draft,
    headCommit: row.head_commit,
    baseCommit: row.base_commit,
    mergeCommit: row.merge_commit ?? undefined,
    createdAt: row.created_at,
    closedAt: row.closed_at ?? undefined,
  }
}
