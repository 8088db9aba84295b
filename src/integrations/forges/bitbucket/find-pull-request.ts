import type { HostApi } from '../http/host-client.ts'
import { pullRequestAnswer, type PullRequest } from './bitbucket-answers.ts'
import { listPages, type BitbucketRepository } from './bitbucket-repository.ts'
import { z } from 'zod'
import type { ChangeRequest } from '../forge.ts'
import { encodeSegments } from '../http/api-path.ts'

const states = ['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED']

/** The newest pull request of a branch; those of the same branch in other people's forks are none of ours. */
export async function findPullRequest(
  repository: BitbucketRepository,
  api: HostApi,
  head: string,
  state: 'all' | 'open',
): Promise<PullRequest | undefined> {
  const name = await repository.sourceName(api)
  const isOurs = ({ source }: PullRequest) =>
    source.branch.name === head && isSame(source.repository?.full_name, name)
  // A parameter for each state; without one only open ones come.
  const wanted = (state === 'all' ? states : ['OPEN']).map((name) => `state=${name}`).join('&')
  const found = await listPages(api, `${repository.target}/pullrequests?${wanted}`, pullRequestAnswer, {
    query: { q: `source.branch.name = ${quote(head)}`, sort: '-created_on', pagelen: 50 },
    max: 500,
    until: (page) => page.some(isOurs),
  })
  return found.find(isOurs)
}

/** Bitbucket does not tell upper and lower case in paths apart. */
export function isSame(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase()
}

/** Text in a query. */
export function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

const ended: Record<string, 'merged' | 'closed'> = {
  MERGED: 'merged',
  DECLINED: 'closed',
  SUPERSEDED: 'closed',
}

/** An open one whose branch is gone counts as closed: nothing can be done with it. */
export async function toChangeRequest(
  repository: BitbucketRepository,
  api: HostApi,
  { id, links, state, source, destination, draft }: PullRequest,
): Promise<ChangeRequest> {
  const head = source.branch.name
  // Other people's forks may be hidden from us.
  const isOurs = isSame(source.repository?.full_name, await repository.sourceName(api))
  const isOpen = ended[state] === undefined
  const isThere = !isOpen || !isOurs || (await branchExists(api, repository.source, head))
  return {
    number: id,
    link: links.html.href,
    state: ended[state] ?? (isThere ? 'open' : 'closed'),
    head,
    base: destination.branch.name,
    draft: draft ?? undefined,
  }
}

/** @param place of a repository in the API */
export async function branchExists(api: HostApi, place: string, branch: string): Promise<boolean> {
  const answer = z.object({ name: z.string() })
  return (await api.find(`${place}/refs/branches/${encodeSegments(branch)}`, answer)) !== undefined
}
