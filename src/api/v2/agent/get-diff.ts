import { jobDiff } from '../../../features/agent/job-diff.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { Repository } from '../../../integrations/git/git.ts'
import { hasUnstorable } from '../../../lib/plain-text.ts'
import { diffResponse, oneDiff } from '../../diff-response.ts'
import type { Endpoint } from '../../endpoint.ts'
import { notFound } from '../../errors.ts'
import { describe } from '../../operation.ts'
import type { JobEndpointPorts } from './job-body.ts'

interface Ports extends JobEndpointPorts {
  mirror(project: Project, commits: readonly string[]): Promise<Repository>
}

export function getDiffEndpoint({ access, jobs, mirror }: Ports): Endpoint {
  return {
    route: describe({
      verb: 'getJobDiff',
      method: 'get',
      path: '/v2/agent/{projectId}/job/{id}/diff',
      tag: 'Agent jobs',
      summary: 'Get job diff',
      description:
        'What the job changes against its base, as a unified diff; empty as long as nothing was published.',
      responses: { 200: oneDiff },
    }),
    async handle(context) {
      const { project } = await access.project(context, 'getJobDiff')
      const id = context.req.param('id') ?? ''
      if (hasUnstorable(id)) throw notFound('job', id)
      const open = (commits: readonly string[]) => mirror(project, commits)
      const diff = await jobDiff(jobs.store.db, { id: project.id, open }, id)
      if (diff === undefined) throw notFound('job', id)
      return diffResponse(context, diff)
    },
  }
}
