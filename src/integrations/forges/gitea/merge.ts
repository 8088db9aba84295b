import { z } from 'zod'
import type { HostApi } from '../http/host-client.ts'
import { isAnswer } from '../http/host-failure.ts'
import { hostTime } from '../http/host-time.ts'
import { mergeOnce } from '../http/merge-once.ts'
import type { MergeStyle, Merging, MergeView } from '../merging.ts'
import { repositoryPath, type GiteaRepository } from './gitea-repository.ts'
import { plainTitle, pullRequest, requestPath, toChangeRequest } from './pull-requests.ts'

const side = pullRequest.shape.head.extend({ sha: z.string() })
const mergedRequest = pullRequest.extend({
  head: side,
  base: side,
  merge_base: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
  created_at: hostTime,
  closed_at: hostTime.nullish(),
})

const flag = z.boolean().nullish()
const allowed = z.object({
  allow_merge_commits: flag,
  allow_squash_merge: flag,
  allow_rebase: flag,
  allow_rebase_explicit: flag,
  allow_fast_forward_only_merge: flag,
  default_merge_style: z.string().nullish(),
})

/** Gitea's own styles, each with the name that every host has for it, the plain ones first. */
const known = [
  ['merge', 'merge', 'allow_merge_commits'],
  ['squash', 'squash', 'allow_squash_merge'],
  ['rebase', 'rebase', 'allow_rebase'],
  ['rebase', 'fast-forward-only', 'allow_fast_forward_only_merge'],
  ['merge', 'rebase-merge', 'allow_rebase_explicit'],
] as const

export function giteaMerging(repository: GiteaRepository): Merging {
  const { client, path } = repository
  return {
    look: (number) =>
      client.operation(`read pull request ${number} of ${path}`, (api) => look(repository, api, number)),
    merge: (view, style) =>
      client.operation(`merge pull request ${view.number} of ${path}`, (api) =>
        mergeOnce(
          { host: 'Gitea', view },
          () => send(repository, api, view, style),
          () => look(repository, api, view.number),
        ),
      ),
  }
}

async function look(
  repository: GiteaRepository,
  api: HostApi,
  number: number,
): Promise<MergeView | undefined> {
  const present = await api.find(requestPath(repository, number), mergedRequest)
  if (!present) return undefined
  return {
    ...toChangeRequest(present),
    title: plainTitle(present.title),
    body: present.body ?? '',
    headCommit: present.head.sha,
    baseCommit: present.merge_base ?? present.base.sha,
    mergeCommit: present.merged === true ? (present.merge_commit_sha ?? undefined) : undefined,
    createdAt: present.created_at,
    closedAt: present.closed_at ?? undefined,
    styles: [...new Set((await ownStyles(repository, api)).map(([style]) => style))],
  }
}

/** What the repository allows, its default first. */
async function ownStyles(repository: GiteaRepository, api: HostApi): Promise<(typeof known)[number][]> {
  const may = await api.get(repositoryPath(repository.path), allowed)
  const open = known.filter(([, , field]) => may[field] === true)
  return open.toSorted((a, b) => rank(may.default_merge_style, a[1]) - rank(may.default_merge_style, b[1]))
}

function rank(first: string | null | undefined, style: string): number {
  return style === first ? 0 : 1
}

/** Pauses before it is asked once more whether it has worked out that nothing conflicts. */
const patience = 12
const pause = 500

async function send(
  repository: GiteaRepository,
  api: HostApi,
  view: MergeView,
  style: MergeStyle,
): Promise<void> {
  const own = (await ownStyles(repository, api)).find(([name]) => name === style)?.[1] ?? style
  const path = `${requestPath(repository, view.number)}/merge`
  const body = { Do: own, head_commit_id: view.headCommit }
  for (let count = 0; ; count++) {
    try {
      await api.once('POST', path, body, z.unknown())
      return
    } catch (error) {
      // It has refused, and done nothing: after each push it compares the branches first.
      const isEarly = isAnswer(error, 405) && /try again later/i.test(error.detail)
      if (!isEarly || count === patience) throw error
      await repository.ports.delay(pause, undefined)
    }
  }
}
