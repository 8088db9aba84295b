import type { Job } from '../../../features/agent/jobs.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { JobBody } from '../../contract.ts'

/** Full URL of a project's repository: what it is cloned from, never with a credential. */
export type RepositoryUrl = (project: Project) => string

/** A job as every response shows it: the fields of the published interface first and in its order, then ours. */
export function jobToBody(job: Job, project: Project, repositoryUrl: RepositoryUrl): JobBody {
  const pullRequest = job.pullRequest ?? null
  return {
    id: job.id,
    status: job.status,
    source: { repository: repositoryUrl(project), ref: job.branch },
    model: job.model,
    prLink: job.status === 'active' ? null : (pullRequest?.link ?? null),
    createdAt: job.createdAt.toISOString(),
    archivedAt: job.archivedAt?.toISOString() ?? null,
    pullRequest: pullRequest && {
      link: pullRequest.link,
      number: pullRequest.number,
      state: pullRequest.state,
    },
    title: job.title,
    failure: job.failure ?? null,
    turns: job.turns,
    usage: job.usage,
    checks: job.checks,
    changes: job.changes,
  }
}
