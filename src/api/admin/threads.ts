import { z } from '@hono/zod-openapi'
import { deleteMessagesOf, deleteThread } from '../../features/assistant/threads.ts'
import { findProjectByDomain } from '../../features/projects/projects.ts'
import { AppError } from '../../lib/errors.ts'
import { hasUnstorable } from '../../lib/plain-text.ts'
import type { Store } from '../../store/database.ts'
import type { Access } from '../access.ts'
import type { Endpoint } from '../endpoint.ts'
import { readQuery } from '../read-body.ts'

const query = z
  .object({ id: z.string().optional(), fp: z.string().optional() })
  .refine(
    ({ id, fp }) => (id === undefined) !== (fp === undefined),
    'name either a thread by `id` or a person by `fp`',
  )

/** Endpoint of `docwright thread delete`: one thread, or all that one person said. */
export function deleteThreadsEndpoint({ access, store }: { access: Access; store: Store }): Endpoint {
  return {
    route: { method: 'delete', path: '/admin/projects/{domain}/threads', responses: {}, hide: true },
    async handle(context) {
      access.operator(context)
      const domain = context.req.param('domain') ?? ''
      const project = await findProjectByDomain(store.db, domain)
      if (!project)
        throw new AppError('not_found', `There is no project with the domain "${domain}"; see "project list"`)
      const { id, fp } = readQuery(context, query)
      if (hasUnstorable(id ?? fp ?? '')) throw new AppError('not_found', 'There is no such thread')
      const deleted = await store.transaction(async (tx) => {
        if (id !== undefined) return (await deleteThread(tx, project.id, id)) ? 1 : 0
        return deleteMessagesOf(tx, project.id, fp ?? '')
      })
      if (deleted === 0)
        throw new AppError('not_found', 'Nothing was deleted: there is no such thread or person')
      return context.json({ deleted })
    },
  }
}
