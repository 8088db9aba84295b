import { z } from '@hono/zod-openapi'
import { describe } from '../../api/description/operation.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { readBytes } from '../../api/read-bytes.ts'
import { sharerOf } from '../../api/sharer.ts'
import { AppError } from '../../lib/errors.ts'
import type { Reader } from '../../store/database.ts'
import { keepEvent } from './events.ts'
import type { ChatPorts } from './run.ts'
import { readDelivery, type SlackDelivery } from './slack/read-delivery.ts'
import { verifySignature } from './slack/verify-signature.ts'
import { deleteChat, findChannel, findChat, secretsOf, type Chat } from './table.ts'
import { findThread } from './threads.ts'

const bodyLimit = 1024 * 1024

/**
 * Receives what happens in a workspace. A call is authenticated by its signature, stored once, and acknowledged at once; the
 * worker answers it.
 */
export function receiveChatEventEndpoint({ store, secretKey }: ChatPorts): Endpoint {
  return {
    route: describe('receiveChatEvent', 'post /chats/{chat}/events', {
      tag: 'Chat',
      summary: 'Receive an event of a chat platform',
      description: 'Called only by Slack, which signs its calls: events, commands and presses of buttons.',
      responses: {
        200: {
          description: 'Accepted. The text is the challenge by which Slack verifies the address, or empty',
          content: { 'text/plain': { schema: z.string() } },
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
        'The call is not signed with the signing secret of the app',
      )
      if (!chat || !headers.has('x-slack-signature')) throw refusal
      // Not in the project's own share, because strangers may have sent it.
      const sharer = { address: sharerOf(context).address, project: `chat ${id}` }
      const body = (await readBytes(context, { limit: bodyLimit, sharer })).toString('utf8')
      if (!verifySignature(secretsOf(secretKey, chat).signingSecret, headers, body, Date.now())) throw refusal
      const contentType = headers.get('content-type') ?? ''
      const delivery = readDelivery(contentType, body, chat.bot)
      if (delivery.kind === 'challenge') return context.text(delivery.challenge)
      if (delivery.kind === 'removed') await store.transaction((tx) => deleteChat(tx, chat.id))
      if (delivery.kind === 'event' && (await matters(store.db, chat, delivery.event))) {
        const { key, thread } = delivery.event
        await store.transaction((tx) => keepEvent(tx, { chatId: chat.id, key, thread, contentType, body }))
      }
      return context.text('')
    },
  }
}

/** Of what people write to each other nothing is kept, unless the bot is asked or takes part. */
async function matters(
  reader: Reader,
  chat: Chat,
  { thread, channel, written }: Extract<SlackDelivery, { kind: 'event' }>['event'],
): Promise<boolean> {
  if (!written || written.isDirect || written.isMention) return true
  const answers = (await findChannel(reader, chat.id, channel))?.answers
  if (answers === 'quiet') return false
  return answers === 'everything' || (await findThread(reader, chat.id, thread)) !== undefined
}
