import { cancelJob } from '../features/agent/cancel-job.ts'
import { makeRequestDue } from '../features/agent/hosts/requests.ts'
import { getJob } from '../features/agent/jobs.ts'
import { recordPullRequestState } from '../features/agent/publish/record-publication.ts'
import type { FollowCode } from '../features/automations/previews/follow-code.ts'
import { findProject } from '../features/projects/projects.ts'
import { isSameCommit } from '../integrations/forges/merging.ts'
import type { Reader } from '../store/database.ts'
import { hostedPullsOf, pullRequestsOf } from './agent-ports.ts'
import { docsForge } from './docs-forge.ts'
import type { Services } from './services.ts'

const merged = 'Marked as ready, as the pull request of the code was merged.'
const closed = 'Closed, as the pull request of the code was closed.'
const left = 'The pull request of the code was closed. People worked on this one, so it is left to them.'

/** Closes the pull request of a job with that of its code, unless people worked on it, or marks it as ready. */
export function followCodeOf(services: Services): FollowCode {
  const { store } = services
  const pullRequests = pullRequestsOf(services)
  const hostedPulls = hostedPullsOf(services)
  return async ({ projectId, jobId, state }) => {
    const project = await findProject(store.db, projectId)
    const before = project && (await getJob(store.db, projectId, jobId))
    if (project === undefined || before === undefined) return 'The job no longer exists.'
    if (before.status === 'active' && state === 'merged') return undefined
    const { hasPeople, headCommit } = await workOn(store.db, jobId)
    if (before.status === 'active' && !hasPeople)
      await cancelJob(store, project, jobId, 'the end of the code’s pull request')
    const request = before.pullRequest
    if (request?.state !== 'open') return state === 'closed' ? closed : merged
    const { number } = request
    if (state === 'closed') {
      const head =
        project.kind === 'https'
          ? (await hostedPulls.find(project, number))?.view.headCommit
          : (await pullRequests.find(project, number))?.headCommit
      const isPushed = head !== undefined && headCommit !== null && !isSameCommit(head, headCommit)
      if (hasPeople || isPushed) return left
    }
    const forge = await docsForge(services, project)
    if (forge === undefined) return 'The host of the documentation cannot be asked.'
    const now = await forge.update(number, state === 'closed' ? { state } : { draft: false })
    await store.transaction(async (tx) => {
      await recordPullRequestState(tx, jobId, now)
      await makeRequestDue(tx, projectId, number)
    })
    if (state === 'closed') return closed
    return now.draft === true ? 'The git host did not allow to mark it as ready. Mark it there.' : merged
  }
}

async function workOn(
  reader: Reader,
  jobId: string,
): Promise<{ hasPeople: boolean; headCommit: string | null }> {
  const rows = await reader
    .selectFrom('turns')
    .innerJoin('jobs', 'jobs.id', 'turns.job_id')
    .select(['asked_by', 'head_commit'])
    .where('job_id', '=', jobId)
    .execute()
  return {
    hasPeople: rows.some(({ asked_by: by }) => by?.kind !== 'automation'),
    headCommit: rows[0]?.head_commit ?? null,
  }
}
