import { mergeBase } from '../../git/ancestry.ts'
import { AppError } from '../../../lib/errors.ts'
import type { ChangeRequestText } from '../forge.ts'
import { keepCommits } from './keep-commits.ts'
import { insertPullRequest, lockPullRequests, newestByHead } from './pull-requests.ts'
import type { PullRequestRow } from './pull-requests.ts'
import type { LocalForgePorts, LocalProject } from './local-project.ts'
import { readBranches } from './read-branches.ts'

/**
 * Opens a pull request, or returns the one of the same head that is open already.
 * @throws AppError `not_found` for a missing branch, `conflict` when there is nothing to merge
 */
export async function openPullRequest(
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
    throw new AppError('conflict', `${request.base} already has everything that ${request.head} has`)
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
