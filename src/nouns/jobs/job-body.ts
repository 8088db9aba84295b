import { pullRequestUrl } from '../../lib/pull-request-url.ts'
import type { Job } from '../../features/agent/jobs.ts'
import type { JobPorts } from '../../features/agent/ports.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Access } from '../../api/access.ts'
import { jsonContent } from '../../api/description/operation.ts'
import { present } from '../../verbs/present.ts'
import { type JobBody, jobBody } from './answers.ts'

/** What the job endpoints need. */
export interface JobEndpointPorts extends JobPorts, Addresses {
  access: Access
}

export const oneJob = { description: 'The job', content: jsonContent(jobBody) }

/** How to make full URLs of stored paths and locations. */
interface Addresses {
  /** The URL to clone a project's repository from, never with a credential. */
  repositoryUrl(project: Project): string
  /** The address at which people reach this server, without a slash at the end. */
  publicUrl(): string
}

/**
 * A job as every response shows it: first the fields of the published interface in its order, then the additional
 * ones.
 */
export function jobToBody(job: Job, project: Project, { repositoryUrl, publicUrl }: Addresses): JobBody {
  const pullRequest = job.pullRequest && {
    link: pullRequestUrl(publicUrl(), job.pullRequest.link),
    number: job.pullRequest.number,
    state: job.pullRequest.state,
  }
  return present(jobBody, {
    ...job,
    source: { repository: repositoryUrl(project), ref: job.branch },
    prLink: job.status === 'active' ? null : pullRequest?.link,
    pullRequest,
    changes: job.changes.map((change) => ({ ...change, kept: change.kept === true })),
  })
}
