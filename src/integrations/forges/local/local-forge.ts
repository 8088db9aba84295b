import { AppError } from '../../../lib/errors.ts'
import { mostComments, type ChangeRequest, type ChangeRequestText, type Forge } from '../forge.ts'
import { changedFiles } from '../../git/trees/changed-files.ts'
import type { Repository } from '../../git/git.ts'
import { readComments } from './pull-request-comments.ts'
import {
  insertPullRequest,
  lockPullRequests,
  newestByHead,
  readPullRequest,
  readPullRequests,
  updatePullRequest,
  type PullRequestRow,
} from './pull-requests.ts'
import { pullRequestLink, type LocalForgePorts, type LocalProject } from './local-project.ts'
import { endPullRequest, keepCommits, readBranches, syncPullRequest } from './pull-request-state.ts'
import { mergeBase } from '../../git/trees/ancestry.ts'
import { keepNewest } from '../../../lib/keep-newest.ts'

/** The forge of repositories on this server: plain git, with pull requests in a table. */
export function createLocalForge(ports: LocalForgePorts, project: LocalProject): Forge {
  const { db } = ports.store
  // Rows as last seen, and when they were compared with the repository's branches. Each comparison is a fetch.
  const seen = new Map<number, PullRequestRow>()
  const looked = new Map<number, number>()
  const noteLook = (row: PullRequestRow): PullRequestRow => {
    seen.set(row.number, row)
    looked.set(row.number, performance.now())
    return row
  }
  const synced = async (
    row: PullRequestRow | undefined,
    within: number = 0,
  ): Promise<ChangeRequest | undefined> => {
    if (row === undefined) return undefined
    if (performance.now() - (looked.get(row.number) ?? 0) < within) return toChangeRequest(project, row)
    return toChangeRequest(project, noteLook(await syncPullRequest(ports, project, row)))
  }
  return {
    findByHead: async (head) => synced(await newestByHead(db, project.id, head)),
    read: async (number, { within = 0 } = {}) =>
      synced(await readPullRequest(db, project.id, number), within),
    open: async (request) =>
      toChangeRequest(project, noteLook(await openPullRequest(ports, project, request))),
    async update(number, { body, draft, base, state }) {
      const change = {
        ...(body !== undefined && { body }),
        ...(draft === false && { draft }),
        ...(base !== undefined && { base }),
      }
      if (state !== undefined) {
        const row = await readPullRequest(db, project.id, number)
        if (row) await endPullRequest(ports, project.id, row, { state })
      } else if (Object.keys(change).length > 0)
        await ports.store.transaction((tx) => updatePullRequest(tx, project.id, number, change))
      const request = await synced(await readPullRequest(db, project.id, number))
      if (!request) throw new AppError('not_found', `Pull request ${number} not found`)
      return request
    },
    // Rows as last seen: comparing every branch would cost too much.
    async listOpen() {
      const rows = await readPullRequests(db, project.id, { state: 'open', limit: 50 })
      for (const row of rows) seen.set(row.number, row)
      return rows.map((row) => ({
        number: row.number,
        link: pullRequestLink(project, row),
        title: row.title,
        head: row.head,
      }))
    },
    async changedPaths(number) {
      const row = seen.get(number) ?? (await readPullRequest(db, project.id, number))
      if (!row) return []
      return pathsBetween(project.repository, row.base_commit, row.head_commit)
    },
    async commentsSince(number, since) {
      const comments = await readComments(db, project.id, number, { since, limit: mostComments })
      // Only signed-in people can comment, and they may also merge.
      return comments.map(({ n, author, body, createdAt }) => ({
        id: String(n),
        author,
        body,
        createdAt,
        trusted: true,
      }))
    },
  }
}

const maxPaths = 3000
const maxKept = 500
// The files that differ between two commits never change.
const known = new Map<string, Promise<string[]>>()

async function pathsBetween(repository: Repository, base: string, head: string): Promise<string[]> {
  const key = `${repository.folder} ${base} ${head}`
  const paths = known.get(key)
  if (paths) return paths
  const looking = changedFiles(repository, base, head).then((files) =>
    files.flatMap(({ path, oldPath }) => (oldPath === undefined ? path : [path, oldPath])).slice(0, maxPaths),
  )
  keepNewest(known, maxKept, key, looking)
  looking.catch(() => known.delete(key))
  return looking
}

function toChangeRequest(project: LocalProject, row: PullRequestRow): ChangeRequest {
  const { number, state, head, base, draft } = row
  return { number, link: pullRequestLink(project, row), state, head, base, draft }
}

/**
 * Opens a pull request, or returns the open one of the same head.
 * @throws AppError `not_found` for a missing branch, `conflict` when there is nothing to merge
 */
async function openPullRequest(
  ports: Pick<LocalForgePorts, 'store'>,
  project: LocalProject,
  request: ChangeRequestText & { head: string; base: string; draft: boolean },
): Promise<PullRequestRow> {
  const { head, base } = await readBranches(project, request)
  if (head === undefined || base === undefined) {
    const missing = head === undefined ? request.head : request.base
    throw new AppError('not_found', `The repository has no branch ${JSON.stringify(missing)}: push it first`)
  }
  const common = await mergeBase(project.repository, base, head)
  if (common === head) {
    throw new AppError(
      'conflict',
      `Nothing to merge: ${request.base} already contains all commits of ${request.head}`,
    )
  }
  const opened = await ports.store.transaction(async (tx) => {
    await lockPullRequests(tx, project.id)
    const present = await newestByHead(tx, project.id, request.head)
    if (present?.state === 'open') return present
    return insertPullRequest(tx, {
      project_id: project.id,
      title: request.title,
      body: request.body,
      head: request.head,
      base: request.base,
      draft: request.draft,
      head_commit: head,
      base_commit: common ?? base,
    })
  })
  await keepCommits(project, opened.number, opened.head_commit)
  return opened
}
