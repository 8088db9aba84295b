import { z } from '@hono/zod-openapi'
import { listSealedSecrets as listWebhookSecrets } from '../../features/agent/webhooks/webhooks.ts'
import { listSealedSecrets as listHostSecrets } from '../../features/projects/connections/connections.ts'
import {
  insertOrganization,
  listOrganizations,
  type Organization,
} from '../../features/projects/organizations.ts'
import { countSecrets, type SecretCounts } from '../../features/projects/reseal-secrets.ts'
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

/** Endpoints for the operator alone: organizations and encrypted secrets. */
export function serverEndpoints(ports: Ports): Endpoint[] {
  const { access, store } = ports
  const { onServer } = operations(access, 'Server')
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
