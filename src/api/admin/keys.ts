import { z } from '@hono/zod-openapi'
import { allow, mayDo, organizationsOf, type Caller } from '../../features/projects/allow.ts'
import {
  createKey,
  findKey,
  listKeys,
  listProjectKeys,
  requireNoMore,
  revokeKey,
  type Key,
} from '../../features/projects/keys.ts'
import { findProject, findProjectByDomain, type Project } from '../../features/projects/projects.ts'
import type { Verb } from '../../features/projects/rights.ts'
import { smallestAmount } from '../../features/projects/settings.ts'
import { AppError } from '../../lib/errors.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import { noteAct } from '../../store/acts.ts'
import type { Store } from '../../store/database.ts'
import type { Access } from '../access.ts'
import { operations } from '../description/operation.ts'
import type { Endpoint, RequestContext } from '../endpoint.ts'
import { notFound } from '../errors.ts'
import { organizationFor } from '../organization-for.ts'

const kind = z
  .enum(['admin', 'assistant'], { error: 'must be admin or assistant' })
  .openapi('KeyKind', { description: 'An admin key is an organization’s, an assistant key one project’s.' })
const none = 'all when absent or empty.'
const createBody = z
  .object({
    kind,
    organization: z.string().optional().describe('Owner of an admin key; the default one when absent.'),
    project: z.string().optional().describe('The project of an assistant key, by id or domain.'),
    name: z.string().max(200, 'must have at most 200 characters').optional(),
    origins: z.array(z.string()).optional().describe(`Web origins that may use an assistant key; ${none}`),
    scopes: z
      .array(z.string())
      .optional()
      .describe('What it may do; all but administration when absent or empty.'),
    addresses: z.array(z.string()).optional().describe(`Addresses and CIDR ranges that may use it; ${none}`),
    expiresInDays: z
      .number()
      .min(smallestAmount, 'must be above 0')
      .max(36_500, 'must be at most 36500')
      .optional(),
  })
  .openapi('CreateKey', { description: 'A key to make.' })

const newKey = z
  .object({ id: z.string(), kind, key: z.string().describe('Shown here and never again.') })
  .openapi('NewKey', { description: 'A key that was made, which is shown once.' })

const oneKey = z
  .object({
    id: z.string(),
    kind,
    name: z.string(),
    hint: z.string().describe('The last characters, to tell keys apart.'),
    organization: z.string(),
    project: z.string().nullable(),
    origins: z.array(z.string()),
    scopes: z.array(z.string()),
    addresses: z.array(z.string()),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
    revokedAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .openapi('Key', { description: 'An API key, without its secret.' })

const listQuery = z.object({
  project: z.string().optional().describe('Id or domain: lists only the keys for this project.'),
})

interface Ports {
  access: Access
  store: Store
  publicUrl(): string
}

export function keyEndpoints(ports: Ports): Endpoint[] {
  const { access, store } = ports
  const { onServer } = operations(access, 'API keys')
  return [
    onServer('listKeys', 'get /admin/keys', 'List keys', {
      description: 'Oldest first, revoked ones included.',
      query: listQuery,
      errors: [404],
      answer: [200, 'The keys', z.array(oneKey)],
      async handle({ caller, query: { project } }) {
        const keys =
          project === undefined
            ? await listKeys(store.db, organizationsOf(caller))
            : await listProjectKeys(
                store.db,
                await projectNamed(store, { caller, verb: 'listKeys', project }),
              )
        return keys.filter(({ organizationId }) => mayDo(caller, 'listKeys', organizationId)).map(keyBody)
      },
    }),
    onServer('createKey', 'post /admin/keys', 'Create a key', {
      description:
        'A key with the scope `keys` creates keys of its organization: assistant keys, and admin keys with no more scopes, addresses and time than it has itself.',
      body: createBody,
      errors: [404],
      answer: [201, 'The key, which is shown once', newKey],
      async handle({ context, caller, body }) {
        const { expiresInDays: days } = body
        const owner = await ownerOf(ports, context, caller, body)
        const wanted = {
          kind: body.kind,
          ...owner,
          name: body.name,
          origins: body.origins,
          scopes: body.scopes,
          addresses: body.addresses,
          expiresAt: days === undefined ? undefined : new Date(Date.now() + days * 86_400_000),
        }
        if (caller.kind === 'key') requireNoMore(caller.key, wanted)
        const { key, secret } = await store.transaction((tx) => createKey(tx, wanted))
        return { id: key.id, kind: key.kind, key: secret }
      },
    }),
    onServer('revokeKey', 'post /admin/keys/{id}/revoke', 'Revoke a key', {
      description: 'The key stops working at once.',
      answer: [200, 'The key', oneKey],
      async handle({ context, caller }) {
        const id = context.req.param('id') ?? ''
        const known = hasUnstorable(id) ? undefined : await findKey(store.db, id)
        if (!known || !mayDo(caller, 'revokeKey', known.organizationId)) throw notFound('key', id)
        noteAct({ organizationId: known.organizationId })
        const key = await store.transaction((tx) => revokeKey(tx, id))
        return keyBody(key ?? known)
      },
    }),
  ]
}

async function ownerOf(
  ports: Ports,
  context: RequestContext,
  caller: Caller,
  { kind, organization, project }: z.infer<typeof createBody>,
): Promise<{ organizationId: string; projectId?: string }> {
  if (kind === 'admin') {
    if (project !== undefined)
      throw new AppError(
        'invalid',
        'An admin key belongs to an organization. Leave out the project, or create an assistant key',
      )
    const owner = await organizationFor(ports, context, { caller, verb: 'createKey', organization })
    return { organizationId: owner.id }
  }
  if (project === undefined)
    throw new AppError('invalid', 'An assistant key belongs to a project. Name the `project`')
  const found = await projectNamed(ports.store, { caller, verb: 'createKey', project })
  noteAct({ project: found, organizationId: found.organizationId })
  return { organizationId: found.organizationId, projectId: found.id }
}

async function projectNamed(
  { db }: Store,
  { caller, verb, project: name }: { caller: Caller; verb: Verb; project: string },
): Promise<Project> {
  const found = hasUnstorable(name)
    ? undefined
    : ((await findProject(db, name)) ?? (await findProjectByDomain(db, name)))
  return allow(caller, verb, { name, project: found })
}

function keyBody(key: Key): z.output<typeof oneKey> {
  return {
    id: key.id,
    kind: key.kind,
    name: key.name,
    hint: key.hint,
    organization: key.organizationId,
    project: key.projectId ?? null,
    origins: key.origins,
    scopes: key.scopes,
    addresses: key.addresses,
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  }
}
