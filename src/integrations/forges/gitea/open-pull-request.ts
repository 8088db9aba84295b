import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import type { ChangeRequest, NewRequest } from '../forge.ts'
import { encodeSegments } from '../http/api-path.ts'
import type { HostApi } from '../http/host-client.ts'
import { HostFailure, isAnswer } from '../http/host-failure.ts'
import {
  draftTitle,
  issuePath,
  pullRequest,
  requestPath,
  toChangeRequest,
  type PullRequest,
} from './pull-requests.ts'
import { commentMarks, newText } from '../own-part.ts'
import { findAllOpen, findOpen } from './find-by-head.ts'
import { byNumber, pageSize, repositoryPath, type GiteaRepository } from './gitea-repository.ts'

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
      throw new AppError(
        'conflict',
        `Nothing to merge: ${request.base} already contains all commits of ${request.head}`,
      )
    }
    const { opened, isNew } = await create(api, repository, request)
    const first = isNew ? await leaveOne(api, repository, opened, request.head) : opened
    if (first.number === opened.number && isNew) {
      // Only a change of an open one takes this.
      if (repository.fork !== undefined)
        await attempt(() =>
          api.replace(
            'PATCH',
            requestPath(repository, opened.number),
            { allow_maintainer_edit: true },
            z.unknown(),
          ),
        )
      await addressPullRequest(api, repository, opened.number, request)
    }
    return toChangeRequest(first)
  })
}

/**
 * When two were opened at the same moment, the first one stays. The one opened here is closed if it is the second.
 */
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
  { title, body, template, head, base, draft }: NewRequest,
): Promise<{ opened: PullRequest; isNew: boolean }> {
  const find = (): Promise<PullRequest | undefined> => findOpen(api, repository, head)
  const text = {
    title: draft ? draftTitle(title) : title,
    body: newText(commentMarks, body, template),
    base,
    head: headName(repository, head),
  }
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
        `Branch ${JSON.stringify(head)} or ${JSON.stringify(base)} not found in ${repository.path} on Gitea, or the credential can’t see it. Push the branch first`,
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

/**
 * Gitea opens pull requests without changes. Before 1.22 it cannot compare branches, and then this cannot be
 * prevented.
 */
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

const label = z.object({ id: z.number(), name: z.string() })
type Label = z.output<typeof label>

/**
 * Adds labels, reviewers and assignees. Those that Gitea refuses are left out, because the pull request is already
 * open.
 */
async function addressPullRequest(
  api: HostApi,
  repository: GiteaRepository,
  number: number,
  { labels = [], reviewers = [], assignees = [] }: NewRequest,
): Promise<void> {
  const issue = issuePath(repository, number)
  if (labels.length > 0) {
    await attempt(async () => {
      const ids = await findLabels(api, repository, labels)
      if (ids.length > 0) await api.replace('POST', `${issue}/labels`, { labels: ids }, z.unknown())
    })
  }
  const path = requestPath(repository, number)
  // For an unknown person, changing the issue would fail with status 500.
  const assign = (names: readonly string[]): Promise<boolean> =>
    attempt(() => api.replace('PATCH', path, { assignees: names }, z.unknown()))
  if (assignees.length > 0 && !(await assign(assignees)) && assignees.length > 1) {
    // One unknown name makes the whole request fail, and people who are not named again are removed.
    const taken: string[] = []
    for (const name of assignees) if (await assign([...taken, name])) taken.push(name)
  }
  const ask = (names: readonly string[]): Promise<boolean> =>
    attempt(() => api.replace('POST', `${path}/requested_reviewers`, reviewersBody(names), z.unknown()))
  if (reviewers.length === 0 || (await ask(reviewers))) return
  // An unknown name, or the author's, makes the whole request fail.
  if (reviewers.length > 1) for (const reviewer of reviewers) await ask([reviewer])
}

function reviewersBody(names: readonly string[]): { reviewers: string[]; team_reviewers: string[] } {
  return {
    reviewers: names.filter((name) => !name.includes('/')),
    team_reviewers: names.filter((name) => name.includes('/')).map((name) => name.split('/').at(-1) ?? ''),
  }
}

/** The ids of labels of the repository or its organization. Missing labels are created. */
async function findLabels(
  api: HostApi,
  repository: GiteaRepository,
  names: readonly string[],
): Promise<number[]> {
  const own = `${repositoryPath(repository.path)}/labels`
  const options = { query: { limit: pageSize }, max: 1000, pages: byNumber }
  const find = async (): Promise<Label[]> => api.list(own, label, options)
  const ownLabels = await find()
  const [owner = ''] = repository.path.split('/')
  // Only organizations have labels of their own.
  const shared = await api
    .list(`/orgs/${encodeSegments(owner)}/labels`, label, options)
    .catch((error: unknown) => {
      if (error instanceof HostFailure) return []
      throw error
    })
  const ids: number[] = []
  for (const name of names) {
    const isNamed = (item: Label): boolean => item.name.toLowerCase() === name.toLowerCase()
    const present = ownLabels.find(isNamed) ?? shared.find(isNamed)
    if (present) ids.push(present.id)
    else {
      await attempt(async () => {
        const body = { name, color: '#ededed' }
        ids.push((await api.create(own, body, label, async () => (await find()).find(isNamed))).id)
      })
    }
  }
  return ids
}

async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof HostFailure) return false
    throw error
  }
}
