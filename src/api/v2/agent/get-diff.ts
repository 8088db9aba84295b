import { jobDiff } from '../../../features/agent/job-diff.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { Repository } from '../../../integrations/git/git.ts'
import { hasUnstorable } from '../../../lib/plain-text.ts'
import type { Endpoint } from '../../endpoint.ts'
import { jobNotFound } from './dependencies.ts'
import type { JobEndpointDependencies } from './dependencies.ts'
import { jobParameters } from './parameters.ts'
import { responsesOf } from '../../responses.ts'

interface Dependencies extends JobEndpointDependencies {
  mirror(project: Project, commits: readonly string[]): Promise<Repository>
}

export function getDiffEndpoint({ access, jobs, mirror }: Dependencies): Endpoint {
  return {
    route: {
      method: 'get',
      path: '/v2/agent/{projectId}/job/{id}/diff',
      tags: ['Agent jobs'],
      summary: 'Get job diff',
      description:
        'What the job changes against its base, as a unified diff; empty as long as nothing was published.',
      security: [{ adminKey: ['jobs:read'] }],
      request: { params: jobParameters },
      responses: responsesOf({
        200: { description: 'The diff', content: { 'text/x-diff': { schema: { type: 'string' } } } },
      }),
    },
    async handle(context) {
      const project = await access.adminProject(context, context.req.param('projectId') ?? '', 'jobs:read')
      const id = context.req.param('id') ?? ''
      if (hasUnstorable(id)) throw jobNotFound(id)
      const open = (commits: readonly string[]) => mirror(project, commits)
      const diff = await jobDiff(jobs.store.db, { id: project.id, open }, id)
      if (diff === undefined) throw jobNotFound(id)
      return context.body(diff, 200, {
        'Content-Type': 'text/x-diff; charset=utf-8',
        'X-Content-Type-Options': 'nosniff',
      })
    },
  }
}
