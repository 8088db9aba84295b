import { z } from 'zod'
import type { ChangeRequest, ChangeRequestText, OpenRequest } from '../forge.ts'
import { apiPath } from '../http/api-path.ts'
import type { HostApi } from '../http/host-client.ts'
import { repositoryPath } from './github-api.ts'
import type { GitHubRepository } from './github-repository.ts'

const side = z.object({
  ref: z.string(),
  // Gone when a fork was deleted.
  repo: z.object({ id: z.number() }).nullish(),
})

export const pullRequest = z.object({
  number: z.number(),
  html_url: z.string(),
  title: z.string(),
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
    const found = await newestOfHead(api, repository, head, 'all')
    return found && toChangeRequest(found)
  })
}

/** The newest pull request of a branch, in whatever state or only an open one. */
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

/** Whether it comes from this branch of the repository that we push to, and not from one of a fork with its name. */
export function isOfHead(repository: GitHubRepository, { head, base }: PullRequest, branch: string): boolean {
  const isOwn = head.repo != null && head.repo.id === base.repo?.id
  return head.ref === branch && isOwn === (repository.fork === undefined)
}

export function toChangeRequest({
  number,
  html_url,
  state,
  merged_at,
  head,
  base,
}: PullRequest): ChangeRequest {
  return {
    number,
    link: html_url,
    state: merged_at ? 'merged' : state === 'open' ? 'open' : 'closed',
    head: head.ref,
    base: base.ref,
  }
}

export function readPullRequest(
  repository: GitHubRepository,
  number: number,
): Promise<ChangeRequest | undefined> {
  return repository.client.operation(`read pull request ${number} of ${repository.path}`, async (api) => {
    const found = await api.find(requestPath(repository, number), pullRequest)
    return found && toChangeRequest(found)
  })
}

export function updatePullRequest(
  repository: GitHubRepository,
  number: number,
  { title, body }: ChangeRequestText,
): Promise<ChangeRequest> {
  return repository.client.operation(`update pull request ${number} of ${repository.path}`, async (api) =>
    toChangeRequest(
      await api.replace('PATCH', requestPath(repository, number), { title, body }, pullRequest),
    ),
  )
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
      title,
      head: head.ref,
    }))
  })
}

export function listChangedPaths(repository: GitHubRepository, number: number): Promise<string[]> {
  const what = `list the files of pull request ${number} of ${repository.path}`
  return repository.client.operation(what, async (api) => {
    // To list the files of none is an error like others, so look first.
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

/** Pull requests are issues too: comments, labels and assignees hang there. */
export function issuePath(repository: GitHubRepository, number: number): string {
  return `${repositoryPath(repository.path)}${apiPath`/issues/${number}`}`
}
