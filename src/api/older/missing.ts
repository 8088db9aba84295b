import { z } from '@hono/zod-openapi'
import type { Verb } from '../../features/projects/rights.ts'
import { AppError } from '../../lib/errors.ts'
import type { Access } from '../access.ts'
import { describe, jsonContent } from '../description/operation.ts'
import type { Endpoint } from '../endpoint.ts'

const missing: readonly {
  verb: Verb
  address: Parameters<typeof describe>[1]
  summary: string
  reason: string
}[] = [
  {
    verb: 'createPreviewV1',
    address: 'post /v1/project/preview/{projectId}',
    summary: 'Create a preview (v1)',
    reason: 'This server does not build sites, so it has no previews',
  },
  {
    verb: 'countViewsV1',
    address: 'get /v1/analytics/{projectId}/views',
    summary: 'Count page views (v1)',
    reason: 'This server does not serve your site, so it counts no views of pages',
  },
  {
    verb: 'countVisitorsV1',
    address: 'get /v1/analytics/{projectId}/visitors',
    summary: 'Count visitors (v1)',
    reason: 'This server does not serve your site, so it counts no visitors',
  },
]

/** What the older interface has and this server does not: it says so to a key that could have it. */
export function missingEndpoints({ access }: { access: Access }): Endpoint[] {
  return missing.map(({ verb, address, summary, reason }) => ({
    route: describe(verb, address, {
      tag: 'Older interface',
      deprecated: true,
      summary,
      description: `${reason}.`,
      errors: [501],
      responses: { 200: { description: 'Never', content: jsonContent(z.object({})) } },
    }),
    async handle(context) {
      await access.project(context, verb)
      throw new AppError(
        'not_implemented',
        `${reason}. The page guides/migrate of Docwright’s docs lists what takes its place`,
      )
    },
  }))
}
