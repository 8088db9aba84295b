import { z } from '@hono/zod-openapi'
import { describe } from '../../api/description/operation.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { readBytes } from '../../api/read-bytes.ts'
import { sharerOf } from '../../api/sharer.ts'
import { AppError } from '../../lib/errors.ts'
import { keepDelivery } from './keep-delivery.ts'
import { platforms } from './platforms.ts'
import { eventsUrl, type ChatPorts } from './run.ts'
import { findChat, secretsOf } from './table.ts'

const bodyLimit = 1024 * 1024

/**
 * Receives what happens in a workspace. A call is authenticated as its platform signs it, stored once, and acknowledged at once; the
 * worker answers it.
 */
export function receiveChatEventEndpoint({ store, secretKey, chatApis, publicUrl }: ChatPorts): Endpoint {
  return {
    route: describe('receiveChatEvent', 'post /chats/{chat}/events', {
      tag: 'Chat',
      summary: 'Receive an event of a chat platform',
      description:
        'Called only by the platform, which signs its calls: events, commands and presses of buttons.',
      responses: {
        200: {
          description:
            'Accepted. The text is the challenge by which Slack verifies the address, or empty. Google Chat gets an empty object',
          content: { 'text/plain': { schema: z.string() }, 'application/json': { schema: z.object({}) } },
        },
      },
      errors: [400, 401, 413],
    }),
    async handle(context) {
      const id = context.req.param('chat') ?? ''
      const chat = await findChat(store.db, id)
      const { headers } = context.req.raw
      // All failures look the same, so that strangers do not learn which workspaces exist.
      const refusal = new AppError(
        'unauthorized',
        'The call is not signed as the platform signs calls for this app',
      )
      const calls = chat && platforms[chat.platform].calls
      if (!calls || !headers.has(calls.header)) throw refusal
      // Not in the project's own share, because strangers may have sent it.
      const sharer = { address: sharerOf(context).address, project: `chat ${id}` }
      const body = (await readBytes(context, { limit: bodyLimit, sharer })).toString('utf8')
      const call = { headers, body, url: eventsUrl(publicUrl(), id) }
      if (!(await calls.verify(chatApis, secretsOf(secretKey, chat), call))) throw refusal
      const contentType = headers.get('content-type') ?? ''
      const { delivery } = await keepDelivery(store, chat, { contentType, body })
      if (delivery.kind === 'challenge') return context.text(delivery.challenge)
      return calls.isAnsweredByJson ? context.json({}) : context.text('')
    },
  }
}
