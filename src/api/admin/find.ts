import { z } from '@hono/zod-openapi'
import type { Store } from '../../store/database.ts'
import type { Access } from '../access.ts'
import { operations } from '../description/operation.ts'
import type { Endpoint } from '../endpoint.ts'
import { findAnything, type FindPorts } from '../find/find-anything.ts'
import { findKinds } from '../find/places.ts'
import { shownOrganization } from '../organization-for.ts'

const query = z.object({
  query: z.string().max(200).default('').describe('Words of titles; empty: what is done most.'),
  project: z.string().max(100).optional().describe('The project that comes first, by its domain.'),
})

const match = z
  .object({
    kind: z.enum(findKinds),
    title: z.string(),
    detail: z.string(),
    url: z.string().describe('A path of this server.'),
    form: z.boolean().describe('Whether it is done by sending a form to that path.'),
  })
  .openapi('Found', { description: 'What a search in the dashboard found.' })

/** What people can go to or do, by its name. */
export function findEndpoint(
  ports: FindPorts & { access: Access; store: Store; publicUrl(): string },
): Endpoint {
  return operations(ports.access, 'Server').onServer('find', 'get /admin/find', 'Find anything', {
    description:
      'Pages of the dashboard, projects, documentation pages, jobs and actions, by words of their titles.',
    query,
    answer: [200, 'What fits, best first', z.array(match)],
    async handle({ context, caller, query: { query, project } }) {
      const organizationId = await shownOrganization(ports, context)
      const all = await findAnything(ports, caller, { query, domain: project, shown: organizationId })
      return all.map(({ isForm = false, ...one }) => ({ ...one, form: isForm }))
    },
  })
}
