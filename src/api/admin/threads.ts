import { z } from '@hono/zod-openapi'
import { deleteMessagesOf, deleteThread } from '../../features/assistant/threads.ts'
import { AppError } from '../../lib/errors.ts'
import { hasUnstorable } from '../../lib/plain-text.ts'
import type { Store } from '../../store/database.ts'
import type { Access } from '../access.ts'
import type { Endpoint } from '../endpoint.ts'
import { operations } from '../operation.ts'

const query = z.object({
  id: z.string().optional().describe('One thread.'),
  fp: z.string().optional().describe('All that one person said.'),
})

export function deleteThreadsEndpoint({ access, store }: { access: Access; store: Store }): Endpoint {
  const { onProject } = operations(access, 'Assistant')
  return onProject('deleteThreads', 'delete /admin/projects/{domain}/threads', 'Delete threads', {
    description: 'One thread by `id`, or everything that one person asked by `fp`.',
    query,
    answer: [200, 'How many were deleted', z.object({ deleted: z.int() })],
    async handle({ project, query: { id, fp } }) {
      if ((id === undefined) === (fp === undefined))
        throw new AppError('invalid', 'Name either a thread by `id` or a person by `fp`')
      if (hasUnstorable(id ?? fp ?? '')) throw new AppError('not_found', 'There is no such thread')
      const deleted = await store.transaction(async (tx) => {
        if (id !== undefined) return (await deleteThread(tx, project.id, id)) ? 1 : 0
        return deleteMessagesOf(tx, project.id, fp ?? '')
      })
      if (deleted === 0)
        throw new AppError('not_found', 'Nothing was deleted: there is no such thread or person')
      return { deleted }
    },
  })
}
