import type { Job } from '../../../features/agent/jobs.ts'
import type { JobPorts } from '../../../features/agent/ports.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { Access } from '../../access.ts'
import { jobBody, type JobBody } from '../../contract.ts'
import { jsonContent } from '../../operation.ts'

/** What the job endpoints need. */
export interface JobEndpointPorts {
  access: Access
  jobs: JobPorts
  addresses: Addresses
}

export const oneJob = { description: 'The job', content: jsonContent(jobBody) }

/** What makes full addresses of what is kept without one. */
interface Addresses {
  /** What a project's repository is cloned from, never with a credential. */
  repositoryUrl(project: Project): string
  /** Where people reach this server, without a slash at the end. */
  publicUrl(): string
}

/** A job as every response shows it: the fields of the published interface first and in its order, then ours. */
export function jobToBody(job: Job, project: Project, { repositoryUrl, publicUrl }: Addresses): JobBody {
  const pullRequest = job.pullRequest && {
    link: absolute(publicUrl(), job.pullRequest.link),
    number: job.pullRequest.number,
    state: job.pullRequest.state,
  }
  return {
    id: job.id,
    status: job.status,
    source: { repository: repositoryUrl(project), ref: job.branch },
    model: job.model,
    prLink: job.status === 'active' ? null : (pullRequest?.link ?? null),
    createdAt: job.createdAt.toISOString(),
    archivedAt: job.archivedAt?.toISOString() ?? null,
    pullRequest: pullRequest ?? null,
    title: job.title,
    failure: job.failure ?? null,
    turns: job.turns,
    usage: { ...job.usage, cost: job.usage.cost ?? null },
    checks: job.checks,
    changes: job.changes,
  }
}

/** Pull requests that live on this server are kept by their path. */
export function absolute(publicUrl: string, link: string): string {
  return link.startsWith('/') ? `${publicUrl}${link}` : link
}
