import { z } from 'zod'
import type { ChangeRequest, OpenRequest, RequestUpdate } from '../forge.ts'
import { apiPath } from '../http/api-path.ts'
import type { HostApi } from '../http/host-client.ts'
import { graphqlPath, repositoryPath } from './github-api.ts'
import { commentMarks, replaceOwnText } from '../own-part.ts'
import type { GitHubRepository } from './github-repository.ts'
import { HostFailure } from '../http/host-failure.ts'

const side = z.object({
  ref: z.string(),
  // Missing after a fork was deleted.
  repo: z.object({ id: z.number() }).nullish(),
})

export const pullRequest = z.object({
  number: z.number(),
  node_id: z.string().nullish(),
  draft: z.boolean().nullish(),
  html_url: z.url({ protocol: /^https?$/ }),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  merged_at: z.string().nullish(),
  head: side,
  base: side,
})
export type PullRequest = z.output<typeof pullRequest>

const changedFile = z.object({ filename: z.string(), previous_filename: z.string().nullish() })

const maxPaths = 3000

export function findByHead(repository: GitHubRepository, head: string): Promise<ChangeRequest | undefined> {
  const what = `look for the pull request of ${head} in ${repository.path}`
  return repository.client.operation(what, async (api) => {
    const request = await newestOfHead(api, repository, head, 'all')
    return request && toChangeRequest(request)
  })
}

/** The newest pull request of a branch, in any state or only an open one. */
export async function newestOfHead(
  api: HostApi,
  repository: GitHubRepository,
  head: string,
  state: 'all' | 'open',
): Promise<PullRequest | undefined> {
  const [owner = ''] = (repository.fork ?? repository.path).split('/')
  const list = await api.list(`${repositoryPath(repository.path)}/pulls`, pullRequest, {
    query: { state, head: `${owner}:${head}`, sort: 'created', direction: 'desc', per_page: 30 },
    max: 30,
  })
  return list.find((request) => isOfHead(repository, request, head))
}

/**
 * Whether it comes from this branch of the repository that branches are pushed to, and not from a branch of the
 * same name in another fork.
 */
export function isOfHead(repository: GitHubRepository, { head, base }: PullRequest, branch: string): boolean {
  const isOwn = head.repo != null && head.repo.id === base.repo?.id
  return head.ref === branch && isOwn === (repository.fork === undefined)
}

export function toChangeRequest(request: PullRequest): ChangeRequest {
  const { number, html_url, state, merged_at, head, base } = request
  return {
    number,
    link: html_url,
    state: merged_at ? 'merged' : state === 'open' ? 'open' : 'closed',
    head: head.ref,
    base: base.ref,
    draft: request.draft === true || isDraftTitle(request.title),
  }
}

export function readPullRequest(
  repository: GitHubRepository,
  number: number,
): Promise<ChangeRequest | undefined> {
  return repository.client.operation(`read pull request ${number} of ${repository.path}`, async (api) => {
    const request = await api.find(requestPath(repository, number), pullRequest)
    return request && toChangeRequest(request)
  })
}

export function updatePullRequest(
  repository: GitHubRepository,
  number: number,
  { draft, base, state, body, former }: RequestUpdate,
): Promise<ChangeRequest> {
  return repository.client.operation(`update pull request ${number} of ${repository.path}`, async (api) => {
    const path = requestPath(repository, number)
    const present = await api.get(path, pullRequest)
    const isLeft = state !== undefined && present.state !== 'open'
    if (isLeft) return toChangeRequest(present)
    const change = {
      ...(body !== undefined && { body: replaceOwnText(commentMarks, present.body ?? '', { body, former }) }),
      ...(draft === false && isDraftTitle(present.title) && { title: plainTitle(present.title) }),
      ...(base !== undefined && { base }),
      ...(state !== undefined && { state }),
    }
    const isSame = Object.keys(change).length === 0
    const updated = isSame ? present : await api.replace('PATCH', path, change, pullRequest)
    const { node_id: id } = updated
    if (draft !== false || updated.draft !== true || !id) return toChangeRequest(updated)
    return toChangeRequest({ ...updated, draft: !(await markReady(repository, api, id)) })
  })
}

export function listOpenPullRequests(repository: GitHubRepository): Promise<OpenRequest[]> {
  return repository.client.operation(`list the pull requests of ${repository.path}`, async (api) => {
    const list = await api.list(`${repositoryPath(repository.path)}/pulls`, pullRequest, {
      query: { state: 'open', sort: 'created', direction: 'desc', per_page: 50 },
      max: 50,
    })
    return list.map(({ number, html_url, title, head }) => ({
      number,
      link: html_url,
      title: plainTitle(title),
      head: head.ref,
    }))
  })
}

export function listChangedPaths(repository: GitHubRepository, number: number): Promise<string[]> {
  const what = `list the files of pull request ${number} of ${repository.path}`
  return repository.client.operation(what, async (api) => {
    // Listing the files of a missing pull request fails like other errors do, so check first that it exists.
    if (!(await api.find(requestPath(repository, number), pullRequest))) return []
    const files = await api.list(`${requestPath(repository, number)}/files`, changedFile, {
      query: { per_page: 100 },
      max: maxPaths,
    })
    return files
      .flatMap(({ filename, previous_filename: old }) => (old ? [filename, old] : [filename]))
      .slice(0, maxPaths)
  })
}

export function requestPath(repository: GitHubRepository, number: number): string {
  return `${repositoryPath(repository.path)}${apiPath`/pulls/${number}`}`
}

/** The address of the pull request as an issue, which has its comments, labels and assignees. */
export function issuePath(repository: GitHubRepository, number: number): string {
  return `${repositoryPath(repository.path)}${apiPath`/issues/${number}`}`
}

const mutation =
  'mutation ($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id}) { pullRequest { isDraft } } }'

const answer = z.object({
  data: z
    .object({
      markPullRequestReadyForReview: z
        .object({ pullRequest: z.object({ isDraft: z.boolean() }).nullish() })
        .nullish(),
    })
    .nullish(),
  errors: z.array(z.object({ type: z.string().nullish() })).nullish(),
})

/**
 * Marks a draft as ready for review, which only GraphQL offers.
 * @param id the node id of GraphQL
 * @returns false where GitHub refuses it
 * @throws HostFailure `unavailable`
 */
async function markReady({ base }: GitHubRepository, api: HostApi, id: string): Promise<boolean> {
  try {
    const { data, errors } = await api.replace(
      'POST',
      graphqlPath(base),
      { query: mutation, variables: { id } },
      answer,
    )
    if (errors?.some(({ type }) => type === 'RATE_LIMITED'))
      throw new HostFailure('unavailable', 'GitHub rate limit reached', {
        refused: true,
        passing: true,
        retryAt: new Date(Date.now() + 60_000),
      })
    return data?.markPullRequestReadyForReview?.pullRequest?.isDraft === false
  } catch (error) {
    // The branch is already pushed, so without the permission the pull request simply stays a draft.
    if (error instanceof HostFailure && error.code !== 'unavailable' && error.code !== 'unauthorized')
      return false
    throw error
  }
}

const prefix = 'Draft: '

/** The title's prefix for drafts where a repository's plan has no drafts. */
export function draftTitle(title: string): string {
  return isDraftTitle(title) ? title : `${prefix}${title}`
}

function isDraftTitle(title: string): boolean {
  return title.startsWith(prefix)
}

export function plainTitle(title: string): string {
  return isDraftTitle(title) ? title.slice(prefix.length) : title
}
