import { z } from 'zod'
import type { ChangeRequest } from '../forge.ts'
import { apiPath, encodeSegments } from '../http/api-path.ts'
import type { HostApi } from '../http/host-client.ts'
import { byNumber, pageSize, repositoryPath, type GiteaRepository } from './gitea-repository.ts'
import { headBranch, pullRequest, stateOf, toChangeRequest, type PullRequest } from './pull-requests.ts'

// Every page is costly for the server, so only the newest few hundred closed pull requests are searched.
const mostOpen = 1000
const mostClosed = 300

/**
 * An open pull request of the branch, the first one if there are several, or else the newest closed or merged one.
 */
export function findByHead(repository: GiteaRepository, head: string): Promise<ChangeRequest | undefined> {
  const what = `look for the pull request of ${head} in ${repository.path}`
  return repository.client.operation(what, async (api) => {
    const open = await find(api, repository, head, 'open', mostOpen)
    if (open && stateOf(open) === 'open') return toChangeRequest(open)
    const over = await find(api, repository, head, 'closed', mostClosed)
    const newest = [open, over].sort((a, b) => (b?.number ?? 0) - (a?.number ?? 0))[0]
    const result = newest ?? (await findLongAgo(api, repository, head))
    return result && toChangeRequest(result)
  })
}

export async function findOpen(
  api: HostApi,
  repository: GiteaRepository,
  head: string,
): Promise<PullRequest | undefined> {
  const request = await find(api, repository, head, 'open', mostOpen)
  // Gitea is about to close a pull request whose branch is gone, so another one may be opened.
  return request && stateOf(request) === 'open' ? request : undefined
}

/**
 * All open pull requests of the branch among the newest ones, in the order in which they were opened. Gitea opens
 * two when it is asked twice at once.
 */
export async function findAllOpen(
  api: HostApi,
  repository: GiteaRepository,
  head: string,
): Promise<PullRequest[]> {
  const newest = await api.list(`${repositoryPath(repository.path)}/pulls`, pullRequest, {
    query: { state: 'open', limit: pageSize },
    max: pageSize,
    pages: byNumber,
  })
  return newest
    .filter((request) => isOfHead(repository, request, head) && stateOf(request) === 'open')
    .sort((a, b) => a.number - b.number)
}

// Gitea cannot search by head alone. If two are open because a process ended before it closed the second, the first
// one counts. They were opened at nearly the same time, so it stands at most one page further.
async function find(
  api: HostApi,
  repository: GiteaRepository,
  head: string,
  state: 'open' | 'closed',
  max: number,
): Promise<PullRequest | undefined> {
  const matches = (page: PullRequest[]): PullRequest[] =>
    page.filter((request) => isOfHead(repository, request, head))
  let isFound = false
  const list = await api.list(`${repositoryPath(repository.path)}/pulls`, pullRequest, {
    query: { state, limit: pageSize },
    max,
    pages: byNumber,
    until(page) {
      const wasFound = isFound
      isFound ||= matches(page).length > 0
      return state === 'open' ? wasFound : isFound
    },
  })
  const requests = matches(list).sort((a, b) => a.number - b.number)
  return state === 'open' ? requests[0] : requests.at(-1)
}

/** Gitea can find a pull request into the default branch directly, however old it is. */
async function findLongAgo(
  api: HostApi,
  { path, fork }: GiteaRepository,
  head: string,
): Promise<PullRequest | undefined> {
  const base = repositoryPath(path)
  const info = await api.find(base, z.object({ default_branch: z.string() }))
  if (info === undefined) return undefined
  const name = fork === undefined ? head : `${fork.split('/')[0] ?? ''}:${head}`
  return api.find(`${base}${apiPath`/pulls/${info.default_branch}/`}${encodeSegments(name)}`, pullRequest)
}

/**
 * Whether it comes from this branch of the repository that branches are pushed to, and not from a branch of the
 * same name in another fork.
 */
function isOfHead({ fork }: GiteaRepository, request: PullRequest, branch: string): boolean {
  const { head, base } = request
  if (headBranch(request) !== branch) return false
  if (fork === undefined) return head.repo_id === base.repo_id
  // An owner has at most one fork, which may have been renamed.
  return head.repo_id !== base.repo_id && isSameOwner(head.repo?.full_name, fork)
}

function isSameOwner(one: string | undefined, other: string): boolean {
  const [own, owner] = [one, other].map((path) => path?.split('/')[0]?.toLowerCase())
  return own === owner
}
