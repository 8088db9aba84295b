import { z } from '@hono/zod-openapi'
import { listSealedSecrets as listWebhookSecrets } from '../../features/agent/webhooks/webhooks.ts'
import { answerOutcomes } from '../../features/assistant/outcome.ts'
import { deleteMessagesOf, deleteThread, listThreads } from '../../features/assistant/threads.ts'
import { listSealedSecrets as listHostSecrets } from '../../features/projects/connections/connections.ts'
import {
  insertOrganization,
  listOrganizations,
  type Organization,
} from '../../features/projects/organizations.ts'
import { countSecrets, type SecretCounts } from '../../features/projects/reseal-secrets.ts'
import { AppError } from '../../lib/errors.ts'
import { hasUnstorable } from '../../lib/plain-text.ts'
import type { SecretKey } from '../../lib/secret-box.ts'
import type { Store } from '../../store/database.ts'
import type { Access } from '../access.ts'
import type { Endpoint } from '../endpoint.ts'
import { operations } from '../operation.ts'

interface Ports {
  access: Access
  store: Store
  secretKey: SecretKey
}

const nameRule = 'must be a name of 1 to 200 characters'
const addOrganizationBody = z
  .object({ name: z.string({ error: nameRule }).min(1, nameRule).max(200, nameRule) })
  .openapi('AddOrganization')

const oneOrganization = z
  .object({
    id: z.string(),
    name: z.string(),
    default: z.boolean().describe('Used when no organization is given.'),
    createdAt: z.iso.datetime(),
  })
  .openapi('Organization')

const secretCounts = z
  .object({
    resealed: z.int().describe('Encrypted again by this request.'),
    current: z.int().describe('Already encrypted with the current key.'),
    earlier: z.int().describe('Still encrypted with an earlier key.'),
    unreadable: z.array(z.string()).describe('The names of those that no key can decrypt.'),
  })
  .openapi('Secrets')

const threadsQuery = z.object({
  id: z.string().optional().describe('Id of one thread.'),
  fp: z.string().optional().describe('Everything that one person asked.'),
})

const listedThread = z
  .object({
    id: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime().describe('When the newest question came.'),
    questions: z.int(),
    lastQuestion: z.string().describe('The newest question, at most 500 characters of it.'),
    outcome: z
      .enum(answerOutcomes)
      .nullable()
      .describe('How the newest answer ended; null while there is none.'),
  })
  .openapi('Thread')

/** Endpoints for the operator alone: organizations, encrypted secrets, and the feedback of readers. */
export function serverEndpoints(ports: Ports): Endpoint[] {
  const { access, store } = ports
  const { onServer } = operations(access, 'Server')
  const { onProject } = operations(access, 'Assistant')
  const secrets = async (options: { reseal: boolean }): Promise<SecretCounts> =>
    countSecrets(
      ports,
      [...(await listHostSecrets(store.db)), ...(await listWebhookSecrets(store.db))],
      options,
    )
  const counts = ['How many secrets each key holds', secretCounts] as const
  return [
    onServer('listOrganizations', 'get /admin/organizations', 'List organizations', {
      description: 'Oldest first.',
      answer: [200, 'The organizations', z.array(oneOrganization)],
      handle: async () => (await listOrganizations(store.db)).map(organizationBody),
    }),
    onServer('addOrganization', 'post /admin/organizations', 'Add an organization', {
      description: 'An organization owns projects and admin keys.',
      body: addOrganizationBody,
      answer: [201, 'The organization', oneOrganization],
      handle: async ({ body: { name } }) =>
        organizationBody(await store.transaction((tx) => insertOrganization(tx, name))),
    }),
    onServer('checkSecrets', 'get /admin/secrets', 'Check secrets', {
      description: 'Counts the secrets by the key that they are encrypted with.',
      answer: [200, ...counts],
      handle: () => secrets({ reseal: false }),
    }),
    onServer('resealSecrets', 'post /admin/secrets/reseal', 'Encrypt secrets again', {
      description: 'Encrypts them with the current key, after it was changed. Can be repeated.',
      answer: [200, ...counts],
      handle: () => secrets({ reseal: true }),
    }),
    onProject('listThreads', 'get /admin/projects/{domain}/threads', 'List threads', {
      description: 'The conversations of the assistant, the one with the newest question first.',
      query: z.object({
        limit: z.coerce.number().int().min(1).max(500).default(20).describe('At most this many.'),
      }),
      answer: [200, 'The threads', z.object({ threads: z.array(listedThread) })],
      handle: async ({ project, query: { limit } }) => ({
        threads: (await listThreads(store.db, project.id, { limit })).map((thread) => ({
          ...thread,
          createdAt: thread.createdAt.toISOString(),
          updatedAt: thread.updatedAt.toISOString(),
          lastQuestion: thread.lastQuestion.slice(0, 500).toWellFormed(),
        })),
      }),
    }),
    onProject('deleteThreads', 'delete /admin/projects/{domain}/threads', 'Delete threads', {
      description: 'Deletes one thread by `id`, or everything that one person asked by `fp`.',
      query: threadsQuery,
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
    }),
  ]
}

function organizationBody({
  id,
  name,
  isDefault,
  createdAt,
}: Organization): z.output<typeof oneOrganization> {
  return { id, name, default: isDefault, createdAt: createdAt.toISOString() }
}
