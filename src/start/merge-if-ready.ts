import { getJob } from '../features/agent/jobs.ts'
import type { MergeIfReady } from '../features/automations/merge-ready.ts'
import { findProject } from '../features/projects/projects.ts'
import { counted } from '../lib/text/counted.ts'
import { readPull } from '../nouns/pulls/run.ts'
import { hostedPullsOf, pullRequestsOf } from './agent-ports.ts'
import type { Services } from './services.ts'

/** Merges a rule's pull request by the judgement that people see, if it finds nothing at all. */
export function mergeIfReady(services: Services): MergeIfReady {
  const { store } = services
  const pullRequests = pullRequestsOf(services)
  const hostedPulls = hostedPullsOf(services)
  const ports = { store, mirror: services.filledMirror, pullRequests, hostedPulls }
  return async ({ projectId, jobId, headCommit, by }) => {
    const project = await findProject(store.db, projectId)
    const job = project && (await getJob(store.db, projectId, jobId))
    if (project === undefined || job?.pullRequest?.state !== 'open') return ['It is no longer open.']
    const { number } = job.pullRequest
    if (job.checks.length > 0)
      return [`The checks have ${counted(job.checks.length, 'finding')} for a person to look at.`]
    const { judgement } = await readPull(ports, project, String(number))
    const against = judgement.reasons.filter(({ code }) => code !== 'base_moved')
    if (judgement.verdict !== 'ready' || against.length > 0)
      return against.length > 0 ? against.map(({ message }) => message) : ['It cannot be merged now.']
    if (project.kind === 'https') await hostedPulls.merge(project, number, { headCommit }, by)
    else await pullRequests.merge(project, number, { name: by }, headCommit)
    return []
  }
}
