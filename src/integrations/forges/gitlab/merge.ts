import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import type { HostApi } from '../http/host-client.ts'
import { HostFailure, isAnswer } from '../http/host-failure.ts'
import { hostTime } from '../http/host-time.ts'
import { mergeOnce } from '../http/merge-once.ts'
import type { MergeStyle, Merging, MergeView } from '../merging.ts'
import { mergeRequestAnswer } from './gitlab-answers.ts'
import type { GitLabProject } from './gitlab-project.ts'
import { toChangeRequest } from './merge-requests.ts'
import { plainTitle } from './written-text.ts'

const mergedRequest = mergeRequestAnswer.extend({
  sha: z.string().nullish(),
  diff_refs: z.object({ base_sha: z.string().nullish(), head_sha: z.string().nullish() }).nullish(),
  merge_commit_sha: z.string().nullish(),
  squash_commit_sha: z.string().nullish(),
  detailed_merge_status: z.string().nullish(),
  created_at: hostTime,
  merged_at: hostTime.nullish(),
  closed_at: hostTime.nullish(),
})

const settings = z.object({ merge_method: z.string().nullish(), squash_option: z.string().nullish() })

export function gitLabMerging(project: GitLabProject): Merging {
  const { client, path } = project
  return {
    look: (number) =>
      client.operation(`read merge request ${number} in ${path}`, (api) => look(project, api, number)),
    merge: (view, style) =>
      client.operation(`merge merge request ${view.number} in ${path}`, (api) =>
        mergeOnce(
          { host: 'GitLab', view },
          () => send(project, api, view, style),
          () => look(project, api, view.number),
        ),
      ),
  }
}

async function placeOf(project: GitLabProject, api: HostApi, number: number): Promise<string> {
  return `/projects/${await project.target(api)}/merge_requests/${number}`
}

async function look(project: GitLabProject, api: HostApi, number: number): Promise<MergeView | undefined> {
  const present = await api.find(await placeOf(project, api, number), mergedRequest)
  if (!present) return undefined
  const chosen = await api.get(`/projects/${await project.target(api)}`, settings)
  return {
    ...(await toChangeRequest(project, api, present)),
    title: plainTitle(present.title),
    body: present.description ?? '',
    headCommit: present.sha ?? present.diff_refs?.head_sha ?? '',
    baseCommit: present.diff_refs?.base_sha ?? '',
    mergeCommit: present.merge_commit_sha ?? present.squash_commit_sha ?? undefined,
    createdAt: present.created_at,
    closedAt: present.merged_at ?? present.closed_at ?? undefined,
    styles: stylesOf(chosen),
  }
}

/** A project has one way of merging, and squashes before that always, never or as is wanted. */
function stylesOf({ merge_method: method, squash_option: squash }: z.output<typeof settings>): MergeStyle[] {
  const plain = method === 'ff' ? 'rebase' : 'merge'
  if (squash === 'always') return ['squash']
  if (squash === 'never') return [plain]
  return squash === 'default_on' ? ['squash', plain] : [plain, 'squash']
}

async function send(project: GitLabProject, api: HostApi, view: MergeView, style: MergeStyle): Promise<void> {
  const place = await placeOf(project, api, view.number)
  try {
    const body = { sha: view.headCommit, squash: style === 'squash' }
    await api.once('PUT', `${place}/merge`, body, z.object({ state: z.literal('merged') }))
  } catch (error) {
    if (isAnswer(error, 401))
      throw new AppError(
        'forbidden',
        `GitLab does not let the credential merge merge request ${view.number}: give its account the role that may merge into ${view.base}`,
        { cause: error },
      )
    // It only says "405 Method Not Allowed", and tells the reason elsewhere.
    if (!isAnswer(error, 405, 406, 422)) throw error
    const status = (await api.find(place, mergedRequest).catch(() => undefined))?.detailed_merge_status
    throw new HostFailure(error.code, error.message, {
      ...(error.status !== undefined && { status: error.status }),
      detail: status ? reason(status) : error.detail,
      refused: true,
      passing: false,
      cause: error,
    })
  }
}

const reasons: Record<string, string> = {
  approvals_syncing: 'its approvals are being counted',
  ci_must_pass: 'a pipeline must succeed first',
  ci_still_running: 'its pipeline is still running',
  conflict: 'conflict with the target branch',
  discussions_not_resolved: 'discussions are not resolved',
  draft_status: 'it is a draft',
  external_status_checks: 'a status check has not passed',
  need_rebase: 'it needs a rebase',
  not_approved: 'it is not approved',
  requested_changes: 'a review asks for changes',
  status_checks_must_pass: 'a status check has not passed',
}

function reason(status: string): string {
  return reasons[status] ?? status.replaceAll('_', ' ').slice(0, 100)
}
