import { listTurnRemarks } from '../../../features/agent/turns/turn-remarks.ts'
import { listTurns } from '../../../features/agent/turns/turns.ts'
import { hasUnstorable } from '../../../lib/plain-text.ts'
import { turnListBody } from '../../contract.ts'
import type { Endpoint } from '../../endpoint.ts'
import { notFound } from '../../errors.ts'
import { projectOperation } from '../../operation.ts'
import type { JobEndpointPorts } from './job-body.ts'

export function listTurnsEndpoint({ access, jobs }: Pick<JobEndpointPorts, 'access' | 'jobs'>): Endpoint {
  return projectOperation(
    access,
    {
      verb: 'listTurns',
      method: 'get',
      path: '/v2/agent/{projectId}/job/{id}/turns',
      tag: 'Agent jobs',
      summary: 'List job turns',
      description: 'Each prompt in order, with who asked for it and what came of it.',
      answer: { text: 'The turns', schema: turnListBody },
    },
    async ({ context, project }) => {
      const id = context.req.param('id') ?? ''
      const turns = hasUnstorable(id) ? [] : await listTurns(jobs.store.db, project.id, id)
      if (turns.length === 0) throw notFound('job', id)
      const remarks = await listTurnRemarks(jobs.store.db, project.id, id)
      return {
        turns: turns.map(({ n, prompt, status, summary, failure, ...times }) => {
          const { author, waiting } = remarks.get(n) ?? {}
          return {
            n,
            prompt,
            author: author ?? null,
            status,
            summary: summary ?? null,
            failure: failure ?? null,
            waiting: waiting ? { until: waiting.until.toISOString(), message: waiting.message } : null,
            createdAt: times.createdAt.toISOString(),
            startedAt: times.startedAt?.toISOString() ?? null,
            finishedAt: times.finishedAt?.toISOString() ?? null,
          }
        }),
      }
    },
  )
}
