import { z } from 'zod'
import type { ChangeRequest } from '../forge.ts'
import { encodeSegments } from '../http/api-path.ts'
import type { HostApi } from '../http/host-client.ts'
import type { PullRequest } from './bitbucket-answers.ts'
import type { BitbucketRepository } from './bitbucket-repository.ts'
import { isSame } from './find-pull-request.ts'

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
