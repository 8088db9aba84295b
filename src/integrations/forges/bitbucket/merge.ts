import { z } from 'zod'
import type { HostApi } from '../http/host-client.ts'
import { HostFailure } from '../http/host-failure.ts'
import { hostTime } from '../http/host-time.ts'
import { mergeOnce } from '../http/merge-once.ts'
import { isSameCommit, type MergeStyle, type Merging, type MergeView } from '../merging.ts'
import { pullRequestAnswer } from './bitbucket-answers.ts'
import type { BitbucketRepository } from './bitbucket-repository.ts'
import { toChangeRequest } from './find-pull-request.ts'

const commit = z.object({ hash: z.string() }).nullish()
const branch = z.object({
  name: z.string(),
  merge_strategies: z.array(z.string()).nullish(),
  default_merge_strategy: z.string().nullish(),
})
const mergedRequest = pullRequestAnswer.extend({
  source: pullRequestAnswer.shape.source.extend({ commit }),
  destination: z.object({ branch, commit }),
  merge_commit: commit,
  created_on: hostTime,
  updated_on: hostTime.nullish(),
})

/** Bitbucket's own strategies, each with the name that every host has for it, the plain ones first. */
const known = [
  ['merge', 'merge_commit'],
  ['squash', 'squash'],
  ['rebase', 'fast_forward'],
  ['rebase', 'rebase_fast_forward'],
  ['squash', 'squash_fast_forward'],
  ['merge', 'rebase_merge'],
] as const

export function bitbucketMerging(repository: BitbucketRepository): Merging {
  const { client, path } = repository
  return {
    look: (number) =>
      client.operation(`read pull request ${number} in ${path}`, (api) => look(repository, api, number)),
    merge: (view, style) =>
      client.operation(`merge pull request ${view.number} in ${path}`, (api) =>
        mergeOnce(
          { host: 'Bitbucket', view },
          () => send(repository, api, view, style),
          () => look(repository, api, view.number),
        ),
      ),
  }
}

async function read(
  { target }: BitbucketRepository,
  api: HostApi,
  number: number,
): Promise<z.output<typeof mergedRequest> | undefined> {
  return api.find(`${target}/pullrequests/${number}`, mergedRequest)
}

async function look(
  repository: BitbucketRepository,
  api: HostApi,
  number: number,
): Promise<MergeView | undefined> {
  const present = await read(repository, api, number)
  if (!present) return undefined
  const { title, description, source, destination, merge_commit: merge, created_on, updated_on } = present
  const request = await toChangeRequest(repository, api, present)
  return {
    ...request,
    title,
    body: description ?? '',
    headCommit: source.commit?.hash ?? '',
    baseCommit: destination.commit?.hash ?? '',
    mergeCommit: merge?.hash,
    createdAt: created_on,
    closedAt: request.state === 'open' ? undefined : (updated_on ?? undefined),
    styles: [...new Set(ownStyles(destination.branch).map(([style]) => style))],
  }
}

/** What the base allows, its default first. */
function ownStyles(base: z.output<typeof branch>): (typeof known)[number][] {
  const { merge_strategies: allowed, default_merge_strategy: first } = base
  const open = known.filter(([, own]) => !allowed || allowed.includes(own))
  return open.toSorted((a, b) => Number(b[1] === first) - Number(a[1] === first))
}

async function send(
  repository: BitbucketRepository,
  api: HostApi,
  view: MergeView,
  style: MergeStyle,
): Promise<void> {
  // A merge takes no commit that it must be at, so it is looked at right before.
  const now = await read(repository, api, view.number)
  if (!now?.source.commit || !isSameCommit(now.source.commit.hash, view.headCommit))
    throw refused('its head commit is another one')
  const own = ownStyles(now.destination.branch).find(([name]) => name === style)?.[1]
  if (own === undefined) throw refused('the merge strategy is not allowed')
  const place = `${repository.target}/pullrequests/${view.number}/merge`
  const body = { type: 'pullrequest_merge_parameters', merge_strategy: own }
  await api.once('POST', place, body, z.object({ state: z.literal('MERGED') }))
}

function refused(detail: string): HostFailure {
  return new HostFailure('conflict', detail, { detail, refused: true, passing: false })
}
