import { z } from 'zod'
import type { ChangeRequest, OpenRequest, RequestUpdate } from '../forge.ts'
import { apiPath } from '../http/api-path.ts'
import { isAnswer } from '../http/host-failure.ts'
import { commentMarks, replaceOwnText } from '../own-part.ts'
import { byNumber, pageSize, repositoryPath, type GiteaRepository } from './gitea-repository.ts'

const side = z.object({
  /** The branch, even after it was deleted. */
  label: z.string(),
  /** The branch while it exists, `refs/pull/7/head` afterwards. */
  ref: z.string(),
  repo_id: z.number().nullish(),
  /** Missing after a fork was deleted. */
  repo: z.object({ full_name: z.string() }).nullish(),
})

export const pullRequest = z.object({
  number: z.number(),
  html_url: z.url({ protocol: /^https?$/ }),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  merged: z.boolean().nullish(),
  head: side,
  base: side,
})
export type PullRequest = z.output<typeof pullRequest>

const changedFile = z.object({ filename: z.string(), previous_filename: z.string().nullish() })
const maxPaths = 3000

export function toChangeRequest(request: PullRequest): ChangeRequest {
  return {
    number: request.number,
    link: request.html_url,
    state: stateOf(request),
    head: headBranch(request),
    base: request.base.label || request.base.ref,
    draft: isDraft(request.title),
  }
}

/** Gitea closes a pull request whose branch was deleted, but only some time later. */
export function stateOf({ state, merged, head }: PullRequest): ChangeRequest['state'] {
  if (merged === true) return 'merged'
  return state === 'open' && !(head.label !== '' && head.ref.startsWith('refs/pull/')) ? 'open' : 'closed'
}

export function headBranch({ head }: PullRequest): string {
  return head.label === '' ? head.ref : head.label
}

export function readPullRequest(
  repository: GiteaRepository,
  number: number,
): Promise<ChangeRequest | undefined> {
  return repository.client.operation(`read pull request ${number} of ${repository.path}`, async (api) => {
    const request = await api.find(requestPath(repository, number), pullRequest)
    return request && toChangeRequest(request)
  })
}

export function updatePullRequest(
  repository: GiteaRepository,
  number: number,
  { draft, base, state, body, former }: RequestUpdate,
): Promise<ChangeRequest> {
  return repository.client.operation(`update pull request ${number} of ${repository.path}`, async (api) => {
    const path = requestPath(repository, number)
    const present = await api.get(path, pullRequest)
    const isLeft = state !== undefined && stateOf(present) !== 'open'
    if (isLeft) return toChangeRequest(present)
    const change = {
      ...(body !== undefined && { body: replaceOwnText(commentMarks, present.body ?? '', { body, former }) }),
      ...(draft === false && isDraft(present.title) && { title: plainTitle(present.title) }),
      ...(base !== undefined && { base }),
      ...(state !== undefined && { state }),
    }
    const isSame = Object.keys(change).length === 0
    return toChangeRequest(isSame ? present : await api.replace('PATCH', path, change, pullRequest))
  })
}

export function listOpenPullRequests(repository: GiteaRepository): Promise<OpenRequest[]> {
  return repository.client.operation(`list the pull requests of ${repository.path}`, async (api) => {
    const list = await api.list(`${repositoryPath(repository.path)}/pulls`, pullRequest, {
      query: { state: 'open', limit: pageSize },
      max: 50,
      pages: byNumber,
    })
    return list
      .filter((request) => stateOf(request) === 'open')
      .sort((a, b) => b.number - a.number)
      .map((request) => ({
        number: request.number,
        link: request.html_url,
        title: plainTitle(request.title),
        head: headBranch(request),
      }))
  })
}

export function listChangedPaths(repository: GiteaRepository, number: number): Promise<string[]> {
  const what = `list the files of pull request ${number} of ${repository.path}`
  return repository.client.operation(what, async (api) => {
    if (!(await api.find(requestPath(repository, number), pullRequest))) return []
    const files = await api
      .list(`${requestPath(repository, number)}/files`, changedFile, {
        query: { limit: pageSize },
        max: maxPaths,
        pages: byNumber,
      })
      .catch((error: unknown) => {
        // Gitea before 1.18 does not offer this.
        if (isAnswer(error, 404)) return []
        throw error
      })
    return files
      .flatMap(({ filename, previous_filename: old }) => (old ? [filename, old] : [filename]))
      .slice(0, maxPaths)
  })
}

export function requestPath(repository: GiteaRepository, number: number): string {
  return `${repositoryPath(repository.path)}${apiPath`/pulls/${number}`}`
}

/** The address of the pull request as an issue, which has its comments, labels and assignees. */
export function issuePath(repository: GiteaRepository, number: number): string {
  return `${repositoryPath(repository.path)}${apiPath`/issues/${number}`}`
}

const prefix = 'WIP: '
// The prefixes by which a server recognises a draft, unless it is configured otherwise.
const known = /^\s*(?:WIP:|\[WIP\])\s*/i

/** Whether the title marks a draft. */
export function draftTitle(title: string): string {
  return isDraft(title) ? title : `${prefix}${title}`
}

function isDraft(title: string): boolean {
  return known.test(title)
}

export function plainTitle(title: string): string {
  return title.replace(known, '')
}
