import { z } from '@hono/zod-openapi'
import type { Caller } from '../../features/projects/allow.ts'
import {
  changeLimitSizes,
  checkLimitSizes,
  readLimitSizes,
  sizedLimits,
} from '../../features/projects/limits.ts'
import type { Verb } from '../../features/projects/rights.ts'
import { limitSize } from '../server/answers.ts'
import { noteAct } from '../../store/acts.ts'
import type { Store } from '../../store/database.ts'
import type { Access } from '../../api/access.ts'
import { operations } from '../../api/description/operation.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { requireOrganization } from '../../api/organization-for.ts'

const organization = z.string().optional().describe('The organization. The server as a whole when absent.')
const changeBody = z
  .object({
    organization,
    limits: z
      .record(z.string(), z.number().nullable())
      .describe('Sizes by name. `null` takes the chosen size back.'),
  })
  .openapi('ChangeLimitSizes', { description: 'Sizes to choose.' })

/** How many requests are allowed: the operator chooses it for the server and for single organizations. */
export function limitSizeEndpoints({ access, store }: { access: Access; store: Store }): Endpoint[] {
  const { onServer } = operations(access, 'Server')
  const resolve = async (caller: Caller, verb: Verb, id: string | undefined): Promise<string | undefined> =>
    id === undefined ? undefined : (await requireOrganization(store, { caller, verb, organization: id })).id
  const list = async (id: string | undefined): Promise<z.output<typeof limitSize>[]> => {
    const server = await readLimitSizes(store.db)
    const own = id === undefined ? {} : await readLimitSizes(store.db, id)
    return sizedLimits.map(({ name, seconds, count }) => ({
      name,
      seconds,
      size: own[name] ?? server[name] ?? count,
      default: count,
      server: server[name] ?? null,
      organization: own[name] ?? null,
    }))
  }
  const answer = [200, 'The limits', z.array(limitSize)] as const
  return [
    onServer('listLimitSizes', 'get /admin/limits', 'List limit sizes', {
      description: 'The sizes of limits in an organization, and what they are without a choice.',
      query: z.object({ organization }),
      errors: [404],
      answer,
      handle: async ({ caller, query }) => list(await resolve(caller, 'listLimitSizes', query.organization)),
    }),
    onServer('changeLimitSizes', 'patch /admin/limits', 'Change limit sizes', {
      description:
        'Applies to the next request, also within a window: uses so far count. Searches, pages, and ratings follow within five seconds.',
      body: changeBody,
      errors: [404],
      answer,
      async handle({ caller, body }) {
        const id = await resolve(caller, 'changeLimitSizes', body.organization)
        const sizes = Object.fromEntries(
          Object.entries(body.limits).map(([name, count]) => [name, count ?? undefined]),
        )
        checkLimitSizes(sizes)
        noteAct({
          target: Object.entries(sizes)
            .map(([name, count]) => `${name}=${count ?? 'default'}`)
            .join(' '),
        })
        await store.transaction((tx) => changeLimitSizes(tx, id, sizes))
        return list(id)
      },
    }),
  ]
}
