import { AppError } from '../../../lib/errors.ts'
import type { ChangeRequest, NewRequest } from '../forge.ts'
import type { HostApi } from '../http/host-client.ts'
import { HostFailure, isAnswer } from '../http/host-failure.ts'
import {
  draftTitle,
  isOfHead,
  issuePath,
  newestOfHead,
  pullRequest,
  requestPath,
  toChangeRequest,
  type PullRequest,
} from './pull-requests.ts'
import { repositoryPath } from './github-api.ts'
import { commentMarks, newText } from '../own-part.ts'
import type { GitHubRepository } from './github-repository.ts'
import { z } from 'zod'

/**
 * Opens a pull request, or returns the open one of its head.
 * @throws AppError `not_found` for a missing branch, `conflict` when there is nothing to merge
 */
export async function openPullRequest(
  repository: GitHubRepository,
  request: NewRequest,
): Promise<ChangeRequest> {
  const { head, base } = request
  if (head === base && repository.fork === undefined) {
    throw new AppError('conflict', `${base} already has everything that ${head} has`)
  }
  return repository.client.operation(`open a pull request in ${repository.path}`, async (api) => {
    const present = await newestOfHead(api, repository, head, 'open')
    if (present) return toChangeRequest(present)
    const { opened, isNew } = await create(api, repository, request)
    if (isNew) await addressPullRequest(api, repository, opened.number, request)
    return toChangeRequest(opened)
  })
}

async function create(
  api: HostApi,
  repository: GitHubRepository,
  request: NewRequest,
): Promise<{ opened: PullRequest; isNew: boolean }> {
  const { title, body, template, head, base, draft } = request
  const find = (): Promise<PullRequest | undefined> => newestOfHead(api, repository, head, 'open')
  try {
    const described = newText(commentMarks, body, template)
    const text = {
      title,
      body: described,
      base,
      draft,
      ...headOf(repository, head),
      ...(repository.fork !== undefined && { maintainer_can_modify: request.maintainersMayPush !== false }),
    }
    const opened = await api.create(`${repositoryPath(repository.path)}/pulls`, text, pullRequest, find)
    return { opened, isNew: true }
  } catch (error) {
    if (!isAnswer(error, 422)) throw error
    const { detail } = error
    if (/pull request already exists/i.test(detail)) {
      const opened = (await find()) ?? (await findInAll(api, repository, head))
      if (opened) return { opened, isNew: false }
    }
    // Of a fork that belongs to an organization nobody may be let in.
    if (request.maintainersMayPush !== false && /fork.?collab/i.test(detail))
      return create(api, repository, { ...request, maintainersMayPush: false })
    if (draft && /draft pull requests are not supported/i.test(detail)) {
      // Some plans have no drafts for private repositories. There the title says that it is a draft.
      return create(api, repository, { ...request, draft: false, title: draftTitle(title) })
    }
    throw explain(error, request)
  }
}

/** A fork of the same owner has to be named by its repository. */
function headOf({ path, fork }: GitHubRepository, head: string): { head: string; head_repo?: string } {
  if (fork === undefined) return { head }
  const [owner = '', name = ''] = fork.split('/')
  const isSameOwner = owner.toLowerCase() === path.split('/')[0]?.toLowerCase()
  return { head: `${owner}:${head}`, ...(isSameOwner ? { head_repo: name } : {}) }
}

// The filter by head needs the owner's present name, which may have changed since the project was added.
async function findInAll(
  api: HostApi,
  repository: GitHubRepository,
  head: string,
): Promise<PullRequest | undefined> {
  const open = await api.list(`${repositoryPath(repository.path)}/pulls`, pullRequest, {
    query: { state: 'open', sort: 'created', direction: 'desc', per_page: 100 },
    max: 500,
    until: (page) => page.some((request) => isOfHead(repository, request, head)),
  })
  return open.find((request) => isOfHead(repository, request, head))
}

function explain(error: HostFailure, { head, base }: NewRequest): AppError {
  const { detail } = error
  if (/no (new )?commits between|no history in common/i.test(detail)) {
    return new AppError('conflict', `${base} already has everything that ${head} has (${detail})`, {
      cause: error,
    })
  }
  const missing = /\b(head|base|head_sha|base_sha)[: ]+(?:invalid|missing|can't be blank)/i.exec(detail)?.[1]
  if (missing !== undefined) {
    const branch = missing.startsWith('base') ? base : head
    return new AppError('not_found', `Branch ${JSON.stringify(branch)} not found on GitHub. Push it first`, {
      cause: error,
    })
  }
  return error
}

/**
 * Adds labels, reviewers and assignees. Those that GitHub refuses are left out, because the pull request is already
 * open.
 */
async function addressPullRequest(
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
  // An unknown name, or the author's, makes the whole request fail.
  if (reviewers.length > 1) for (const reviewer of reviewers) await post(path, reviewersBody([reviewer]))
}

/** Reviews of a team are requested by the last part of its name: `docs` of `owner/docs`. */
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
