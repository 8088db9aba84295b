import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import type { ChangeRequest, NewRequest } from '../forge.ts'
import { encodeSegments } from '../http/api-path.ts'
import type { HostApi } from '../http/host-client.ts'
import { HostFailure, isAnswer } from '../http/host-failure.ts'
import { addressPullRequest } from './address-pull-request.ts'
import { draftTitle } from './draft-title.ts'
import { findAllOpen, findOpen } from './find-by-head.ts'
import { repositoryPath } from './gitea-repository.ts'
import type { GiteaRepository } from './gitea-repository.ts'
import { pullRequest, requestPath, toChangeRequest } from './pull-requests.ts'
import type { PullRequest } from './pull-requests.ts'

/**
 * Opens a pull request, or returns the open one of its head.
 * @throws AppError `not_found` for a missing branch, `conflict` when there is nothing to merge
 */
export function openPullRequest(repository: GiteaRepository, request: NewRequest): Promise<ChangeRequest> {
  const { path } = repository
  return repository.client.operation(`open a pull request in ${path}`, async (api) => {
    const present = await findOpen(api, repository, request.head)
    if (present) return toChangeRequest(present)
    if (await changesNothing(api, repository, request)) {
      throw new AppError('conflict', `${request.base} already has everything that ${request.head} has`)
    }
    const { opened, isNew } = await create(api, repository, request)
    const first = isNew ? await leaveOne(api, repository, opened, request.head) : opened
    if (first.number === opened.number && isNew) {
      await addressPullRequest(api, repository, opened.number, request)
    }
    return toChangeRequest(first)
  })
}

/** Of two that were opened at the same moment the first one stays; ours is closed when it is not that one. */
async function leaveOne(
  api: HostApi,
  repository: GiteaRepository,
  opened: PullRequest,
  head: string,
): Promise<PullRequest> {
  const [first = opened] = await findAllOpen(api, repository, head)
  if (first.number >= opened.number) return opened
  await api.replace('PATCH', requestPath(repository, opened.number), { state: 'closed' }, pullRequest)
  return first
}

async function create(
  api: HostApi,
  repository: GiteaRepository,
  { title, body, head, base, draft }: NewRequest,
): Promise<{ opened: PullRequest; isNew: boolean }> {
  const find = (): Promise<PullRequest | undefined> => findOpen(api, repository, head)
  const text = { title: draft ? draftTitle(title) : title, body, base, head: headName(repository, head) }
  try {
    const opened = await api.create(`${repositoryPath(repository.path)}/pulls`, text, pullRequest, find)
    return { opened, isNew: true }
  } catch (error) {
    if (isAnswer(error, 409)) {
      const opened = await find()
      if (opened) return { opened, isNew: false }
    }
    if (isAnswer(error, 404)) {
      throw new AppError(
        'not_found',
        `Gitea knows no branch ${JSON.stringify(head)} or ${JSON.stringify(base)} in ${repository.path}, or the credential may not see it: push the branch first`,
        { cause: error },
      )
    }
    if (isAnswer(error, 422) && /no changes between/i.test(error.detail)) {
      throw new AppError('conflict', `${base} already has everything that ${head} has`, { cause: error })
    }
    throw error
  }
}

function headName({ fork }: GiteaRepository, head: string): string {
  return fork === undefined ? head : `${fork.split('/')[0] ?? ''}:${head}`
}

/** Gitea opens empty ones gladly. Where it cannot compare, as before 1.22, that is what happens. */
async function changesNothing(
  api: HostApi,
  repository: GiteaRepository,
  { head, base }: NewRequest,
): Promise<boolean> {
  if (head === base && repository.fork === undefined) return true
  const pair = `${encodeSegments(base)}...${encodeSegments(headName(repository, head))}`
  try {
    const path = `${repositoryPath(repository.path)}/compare/${pair}`
    const compared = await api.find(path, z.object({ total_commits: z.number().nullish() }))
    return compared?.total_commits === 0
  } catch (error) {
    if (error instanceof HostFailure && error.code !== 'unauthorized') return false
    throw error
  }
}
