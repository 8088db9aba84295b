import { z } from '@hono/zod-openapi'
import { AppError } from '../../lib/errors.ts'
import { createKey, listKeys, revokeKey } from '../../features/projects/keys.ts'
import type { Key } from '../../features/projects/keys.ts'
import { parseOrigin } from '../../features/projects/origin.ts'
import { resolveOrganization } from '../../features/projects/organizations.ts'
import { findProject, findProjectByDomain } from '../../features/projects/projects.ts'
import type { Store } from '../../store/database.ts'
import type { Access } from '../access.ts'
import type { Endpoint } from '../endpoint.ts'
import { jobBodyLimit, readBody } from '../read-body.ts'

const createBody = z.object({
  kind: z.enum(['admin', 'assistant'], { error: 'must be admin or assistant' }),
  organization: z.string().optional(),
  project: z.string().optional(),
  name: z.string().max(200, 'must have at most 200 characters').optional(),
  origins: z.array(z.string()).optional(),
  scopes: z.array(z.string()).optional(),
  addresses: z.array(z.string()).optional(),
  expiresInDays: z.number().positive('must be above 0').max(36_500, 'must be at most 36500').optional(),
})

/** Endpoints of the `docwright key` commands. */
export function adminKeyEndpoints({ access, store }: { access: Access; store: Store }): Endpoint[] {
  return [
    {
      route: { method: 'get', path: '/admin/keys', responses: {}, hide: true },
      async handle(context) {
        access.operator(context)
        return context.json((await listKeys(store.db, {})).map(keyBody))
      },
    },
    {
      route: { method: 'post', path: '/admin/keys', responses: {}, hide: true },
      async handle(context) {
        access.operator(context)
        const input = await readBody(context, createBody, jobBodyLimit)
        const owner = await ownerOf(store, input)
        const { key, secret } = await store.transaction((tx) =>
          createKey(tx, {
            kind: input.kind,
            ...owner,
            name: input.name,
            origins: (input.origins ?? []).map(parseOrigin),
            scopes: input.scopes,
            addresses: input.addresses,
            expiresAt:
              input.expiresInDays === undefined
                ? undefined
                : new Date(Date.now() + input.expiresInDays * 86_400_000),
          }),
        )
        return context.json({ id: key.id, kind: key.kind, key: secret }, 201)
      },
    },
    {
      route: { method: 'post', path: '/admin/keys/{id}/revoke', responses: {}, hide: true },
      async handle(context) {
        access.operator(context)
        const id = context.req.param('id') ?? ''
        const key = await store.transaction((tx) => revokeKey(tx, id))
        if (!key) throw new AppError('not_found', `There is no key ${id}; see "key list"`)
        return context.json(keyBody(key))
      },
    },
  ]
}

async function ownerOf(
  store: Store,
  { kind, organization, project }: z.infer<typeof createBody>,
): Promise<{ organizationId: string; projectId?: string }> {
  if (kind === 'admin') {
    if (project !== undefined)
      throw new AppError(
        'invalid',
        'An admin key belongs to an organization: leave --project out, or make an assistant key',
      )
    return { organizationId: (await resolveOrganization(store.db, organization)).id }
  }
  if (project === undefined)
    throw new AppError('invalid', 'An assistant key belongs to a project: name it with --project')
  const found = (await findProject(store.db, project)) ?? (await findProjectByDomain(store.db, project))
  if (!found) throw new AppError('not_found', `There is no project ${project}; see "project list"`)
  return { organizationId: found.organizationId, projectId: found.id }
}

function keyBody(key: Key): object {
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
