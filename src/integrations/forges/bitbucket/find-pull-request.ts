import type { HostApi } from '../http/host-client.ts'
import { pullRequestAnswer, type PullRequest } from './bitbucket-answers.ts'
import { listPages, type BitbucketRepository } from './bitbucket-repository.ts'
import { z } from 'zod'
import type { ChangeRequest } from '../forge.ts'
import { encodeSegments } from '../http/api-path.ts'

const states = ['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED']

/**
 * The newest pull request of a branch. Pull requests from other people's forks are ignored, even if their branch
 * has the same name.
 */
export async function findPullRequest(
  repository: BitbucketRepository,
  api: HostApi,
  head: string,
  state: 'all' | 'open',
): Promise<PullRequest | undefined> {
  const name = await repository.sourceName(api)
  const isOurs = ({ source }: PullRequest) =>
    source.branch.name === head && isSame(source.repository?.full_name, name)
  // Each state needs a parameter. Without any, only open pull requests are listed.
  const wanted = (state === 'all' ? states : ['OPEN']).map((name) => `state=${name}`).join('&')
  const requests = await listPages(api, `${repository.target}/pullrequests?${wanted}`, pullRequestAnswer, {
    query: { q: `source.branch.name = ${quote(head)}`, sort: '-created_on', pagelen: 50 },
    max: 500,
    until: (page) => page.some(isOurs),
  })
  return requests.find(isOurs)
}

/** Compares paths as Bitbucket does: without regard to case. */
export function isSame(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase()
}

/** Quotes a text for a query. */
export function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

const ended: Record<string, 'merged' | 'closed'> = {
  MERGED: 'merged',
  DECLINED: 'closed',
  SUPERSEDED: 'closed',
}

/** An open pull request whose branch was deleted counts as closed, because it cannot be merged. */
export async function toChangeRequest(
  repository: BitbucketRepository,
  api: HostApi,
  { id, links, state, source, destination, draft }: PullRequest,
): Promise<ChangeRequest> {
  const head = source.branch.name
  // The credential may not be able to see other people's forks.
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
