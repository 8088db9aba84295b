import { z } from '@hono/zod-openapi'
import { describe, jsonContent } from '../description/operation.ts'
import type { Endpoint } from '../endpoint.ts'
import { searches } from '../rate.ts'
import { sharerOf } from '../sharer.ts'

const refusal = z
  .object({ error: z.string(), error_description: z.string().describe('What to do instead.') })
  .openapi('RegistrationRefused', { description: 'Why no client can be registered, in the form of OAuth.' })

/**
 * Where clients of the Model Context Protocol register for OAuth after any 401. They show what this says and nothing of
 * the 401 itself.
 */
export function registrationEndpoint(): Endpoint {
  return {
    route: describe('registerClient', 'post /register', {
      tag: 'MCP servers',
      summary: 'Say to clients that there is no OAuth here',
      description:
        'Clients of the Model Context Protocol ask for a registration after a 401. The answer is always 400, in the form that OAuth has for it.',
      responses: { 400: { description: 'Send a key instead', content: jsonContent(refusal) } },
      errors: [429],
    }),
    handle(context) {
      searches.take(context, { address: sharerOf(context).address })
      const body: z.input<typeof refusal> = {
        error: 'invalid_request',
        error_description:
          'This server has no OAuth sign-in: it takes a key in the header "Authorization: Bearer KEY". If one was sent, it is unknown, revoked or expired: make another on the API keys page, and set it in the client',
      }
      return Promise.resolve(Response.json(body, { status: 400, headers: { 'Cache-Control': 'no-store' } }))
    },
  }
}
