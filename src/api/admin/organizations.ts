import { z } from '@hono/zod-openapi'
import { insertOrganization, listOrganizations } from '../../features/projects/organizations.ts'
import type { Organization } from '../../features/projects/organizations.ts'
import type { Store } from '../../store/database.ts'
import type { Access } from '../access.ts'
import type { Endpoint } from '../endpoint.ts'
import { jobBodyLimit, readBody } from '../read-body.ts'

const nameRule = 'must be a name of 1 to 200 characters'
const addBody = z.object({ name: z.string({ error: nameRule }).min(1, nameRule).max(200, nameRule) })

/** Endpoints of the `docwright organization` commands. */
export function adminOrganizationEndpoints({ access, store }: { access: Access; store: Store }): Endpoint[] {
  return [
    {
      route: { method: 'get', path: '/admin/organizations', responses: {}, hide: true },
      async handle(context) {
        access.operator(context)
        return context.json((await listOrganizations(store.db)).map(organizationBody))
      },
    },
    {
      route: { method: 'post', path: '/admin/organizations', responses: {}, hide: true },
      async handle(context) {
        access.operator(context)
        const { name } = await readBody(context, addBody, jobBodyLimit)
        const organization = await store.transaction((tx) => insertOrganization(tx, name))
        return context.json(organizationBody(organization), 201)
      },
    },
  ]
}

function organizationBody({ id, name, isDefault, createdAt }: Organization): object {
  return { id, name, default: isDefault, createdAt: createdAt.toISOString() }
}
