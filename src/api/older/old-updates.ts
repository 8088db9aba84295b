import { z } from '@hono/zod-openapi'
import { sql } from 'kysely'
import type { Project } from '../../features/projects/projects.ts'
import { requestSync } from '../../features/projects/sync.ts'
import type { Store } from '../../store/database.ts'
import type { Queue } from '../../store/queue.ts'
import type { Access } from '../access.ts'
import { describe, jsonContent, operations } from '../description/operation.ts'
import type { Endpoint } from '../endpoint.ts'
import { notFound } from '../errors.ts'

const update = z
  .object({
    _id: z.string(),
    projectId: z.string(),
    createdAt: z.iso.datetime(),
    endedAt: z.iso.datetime().optional(),
    status: z.enum(['queued', 'in_progress', 'success', 'failure']),
    summary: z.string(),
    logs: z.array(z.string()).describe('Always empty.'),
    subdomain: z.string(),
    commit: z.object({ sha: z.string(), ref: z.string() }).optional(),
    source: z.literal('api'),
  })
  .openapi('UpdateV1', { description: 'A sync, as clients of the older interface read it.' })

/** Updates of a site, of which the sync of its pages is what this server does. */
export function oldUpdateEndpoints({
  access,
  store,
  queue,
}: {
  access: Access
  store: Store
  queue: Pick<Queue, 'send' | 'liveKeys'>
}): Endpoint[] {
  const { onProject } = operations(access, 'Older interface')
  return [
    onProject('startUpdateV1', 'post /v1/project/update/{projectId}', 'Start an update (v1)', {
      deprecated: true,
      description: 'Fetches the repository and indexes its pages now. No site is built.',
      answer: [202, 'The update', z.object({ statusId: z.string() })],
      async handle({ project }) {
        const startedAt = await store.transaction(async (tx) => {
          await requestSync(tx, queue, project.id)
          // By the clock that says when a sync has ended.
          const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx)
          return rows[0]?.now ?? new Date()
        })
        return { statusId: `${project.id}.${startedAt.getTime().toString(36)}` }
      },
    }),
    {
      route: describe('getUpdateV1', 'get /v1/project/update-status/{statusId}', {
        tag: 'Older interface',
        deprecated: true,
        summary: 'Get the status of an update (v1)',
        description: 'A later sync counts as the end of an earlier update.',
        responses: { 200: { description: 'The update', content: jsonContent(update) } },
      }),
      async handle(context) {
        const statusId = context.req.param('statusId') ?? ''
        const { projectId, startedAt } = partsOf(statusId)
        const { project } = await access.project(context, 'getUpdateV1', projectId)
        if (startedAt === undefined) throw notFound('update', statusId)
        // A sync that was under way may have fetched before the update was asked for: another one follows it.
        const isQueued = (await queue.liveKeys('sync', [project.id])).has(project.id)
        return context.json(updateBody(project, statusId, { startedAt, isQueued }))
      },
    },
  ]
}

// The id says all there is to know, so that nothing is stored for it.
function partsOf(statusId: string): { projectId: string; startedAt: Date | undefined } {
  const [, projectId = '', time = ''] = /^(prj_[\w-]+)\.([\da-z]{1,9})$/.exec(statusId) ?? []
  const startedAt = new Date(Number.parseInt(time, 36))
  return { projectId, startedAt: Number.isNaN(startedAt.getTime()) ? undefined : startedAt }
}

function updateBody(
  project: Project,
  _id: string,
  { startedAt, isQueued }: { startedAt: Date; isQueued: boolean },
): z.output<typeof update> {
  const { state, error, at, commit } = project.sync
  const isSynced = !isQueued && state === 'ready' && at !== undefined && at >= startedAt
  const status = isSynced ? 'success' : statuses[state]
  return {
    _id,
    projectId: project.id,
    createdAt: startedAt.toISOString(),
    ...(isSynced ? { endedAt: at.toISOString() } : {}),
    status,
    summary: status === 'failure' ? (error ?? 'The sync failed') : `${project.pageCount} pages are indexed`,
    logs: [],
    subdomain: project.domain,
    ...(commit === undefined ? {} : { commit: { sha: commit, ref: project.ref } }),
    source: 'api',
  }
}

/** The statuses of an update, unless a sync has ended well since. The one before that failed is forgotten with it. */
const statuses = { pending: 'queued', syncing: 'in_progress', ready: 'queued', failed: 'failure' } as const
