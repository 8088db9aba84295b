import { z } from 'zod'
import type { NewRequest } from '../forge.ts'
import type { HostApi } from '../http/host-client.ts'
import { HostFailure } from '../http/host-failure.ts'
import { issuePath, requestPath } from './pull-requests.ts'
import type { GitHubRepository } from './github-repository.ts'

/** Labels, reviewers and assignees: what GitHub does not take is left out, for the pull request is there already. */
export async function addressPullRequest(
  api: HostApi,
  repository: GitHubRepository,
  number: number,
  { labels = [], reviewers = [], assignees = [] }: NewRequest,
): Promise<void> {
  const post = (path: string, body: unknown): Promise<boolean> => attempt(api, path, body)
  const issue = issuePath(repository, number)
  if (labels.length > 0) await post(`${issue}/labels`, { labels })
  if (assignees.length > 0) await post(`${issue}/assignees`, { assignees })
  const path = `${requestPath(repository, number)}/requested_reviewers`
  if (reviewers.length === 0 || (await post(path, reviewersBody(reviewers)))) return
  // One that is unknown, or the author, spoils it for all.
  if (reviewers.length > 1) for (const reviewer of reviewers) await post(path, reviewersBody([reviewer]))
}

/** A team is asked for by the last part of its name: `owner/docs`. */
function reviewersBody(names: readonly string[]): { reviewers: string[]; team_reviewers: string[] } {
  return {
    reviewers: names.filter((name) => !name.includes('/')),
    team_reviewers: names.filter((name) => name.includes('/')).map((name) => name.split('/').at(-1) ?? ''),
  }
}

async function attempt(api: HostApi, path: string, body: unknown): Promise<boolean> {
  try {
    await api.replace('POST', path, body, z.unknown())
    return true
  } catch (error) {
    if (error instanceof HostFailure) return false
    throw error
  }
}
