import type { HostApi } from '../http/host-client.ts'
import { pullRequestAnswer } from './bitbucket-answers.ts'
import type { PullRequest } from './bitbucket-answers.ts'
import type { BitbucketRepository } from './bitbucket-repository.ts'
import { listPages } from './list-pages.ts'

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
