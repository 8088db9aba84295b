import { z } from 'zod'
import type { HostApi } from '../http/host-client.ts'
import { hostTime } from '../http/host-time.ts'
import { mergeOnce } from '../http/merge-once.ts'
import { mergeStyles, type Merging, type MergeView } from '../merging.ts'
import { repositoryPath } from './github-api.ts'
import type { GitHubRepository } from './github-repository.ts'
import { plainTitle, pullRequest, requestPath, toChangeRequest } from './pull-requests.ts'

const side = pullRequest.shape.head.extend({ sha: z.string() })
const mergedRequest = pullRequest.extend({
  head: side,
  base: side,
  merge_commit_sha: z.string().nullish(),
  created_at: hostTime,
  closed_at: hostTime.nullish(),
})

/** Missing where the token may not know it. */
const allowed = z.object({
  allow_merge_commit: z.boolean().nullish(),
  allow_squash_merge: z.boolean().nullish(),
  allow_rebase_merge: z.boolean().nullish(),
})

export function gitHubMerging(repository: GitHubRepository): Merging {
  const { client, path } = repository
  return {
    look: (number) =>
      client.operation(`read pull request ${number} of ${path}`, (api) => look(repository, api, number)),
    merge: (view, style) =>
      client.operation(`merge pull request ${view.number} of ${path}`, (api) =>
        mergeOnce(
          { host: 'GitHub', view },
          () =>
            api.once(
              'PUT',
              `${requestPath(repository, view.number)}/merge`,
              { sha: view.headCommit, merge_method: style },
              z.object({ merged: z.literal(true) }),
            ),
          () => look(repository, api, view.number),
        ),
      ),
  }
}

async function look(
  repository: GitHubRepository,
  api: HostApi,
  number: number,
): Promise<MergeView | undefined> {
  const present = await api.find(requestPath(repository, number), mergedRequest)
  if (!present) return undefined
  const may = await api.get(repositoryPath(repository.path), allowed)
  const isAllowed = {
    merge: may.allow_merge_commit,
    squash: may.allow_squash_merge,
    rebase: may.allow_rebase_merge,
  }
  const request = toChangeRequest(present)
  return {
    ...request,
    title: plainTitle(present.title),
    body: present.body ?? '',
    headCommit: present.head.sha,
    baseCommit: present.base.sha,
    // Of an open one it is only a trial.
    mergeCommit: request.state === 'merged' ? (present.merge_commit_sha ?? undefined) : undefined,
    createdAt: present.created_at,
    closedAt: present.closed_at ?? undefined,
    styles: mergeStyles.filter((style) => isAllowed[style] !== false),
  }
}
