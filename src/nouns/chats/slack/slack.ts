import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import {
  firstOf,
  type Button,
  type ChatPlatform,
  type Connection,
  type Content,
  type Mark,
  type PastMessage,
  type Spot,
} from '../platform.ts'
import type { ChatApis } from '../../../lib/chat-apis.ts'
import type { Chat, ChatSecrets } from '../table.ts'
import { askSlack, testToken } from './api.ts'
import { readDelivery } from './read-delivery.ts'
import { textOf } from './text-of.ts'
import { verifySignature } from './verify-signature.ts'

export const slack: ChatPlatform = {
  name: 'Slack',
  markup: 'slack',
  longest: { block: 2800, blocks: 12 },
  channel: {
    pattern: /^[A-Z0-9]{3,30}$/,
    example: 'C0123456789',
    where: 'At the end of the channel’s details in Slack.',
  },
  // Slack allows about one a second.
  editEvery: 1200,
  calls: {
    header: 'x-slack-signature',
    verify: (_, { signingSecret }, { headers, body }) =>
      signingSecret !== undefined && verifySignature(signingSecret, headers, body, Date.now()),
  },
  read: (raw, { bot }) => readDelivery(raw, bot),
  test(apis, secrets) {
    checkTokens(secrets)
    return testToken(apis.slack, secrets.botToken)
  },
  connect,
  openSocket({ slack: api }, { appToken }, ports) {
    if (appToken === undefined) return undefined
    return import('./open-socket.ts').then(({ openSocket }) => openSocket(api, appToken, ports))
  },
}

function checkTokens({ botToken, signingSecret, appToken }: ChatSecrets): void {
  if (!botToken.startsWith('xoxb-')) throw new AppError('invalid', 'The bot token of Slack begins with xoxb-')
  if (appToken !== undefined && !appToken.startsWith('xapp-'))
    throw new AppError('invalid', 'The app-level token of Slack begins with xapp-')
  if (signingSecret === undefined && appToken === undefined)
    throw new AppError(
      'invalid',
      'Give the signing secret of the app, or for Socket Mode its app-level token',
    )
}

const markType = 'docwright_post'
/** Seconds by which the clocks may differ. */
const skew = 300
/** Messages that are looked through, in pages. */
const most = { page: 200, pages: 10 }

const posted = z.looseObject({ ts: z.string() })
const page = z.looseObject({
  messages: z.array(
    z.looseObject({
      ts: z.string(),
      text: z.string().default(''),
      user: z.string().optional(),
      metadata: z
        .looseObject({ event_type: z.string(), event_payload: z.looseObject({ mark: z.unknown() }) })
        .optional()
        .catch(undefined),
    }),
  ),
  response_metadata: z.looseObject({ next_cursor: z.string().optional() }).optional(),
})
type SlackMessage = z.output<typeof page>['messages'][number]
const info = z.looseObject({
  user: z.looseObject({ name: z.string().optional(), real_name: z.string().optional() }),
})

function connect({ slack: api }: ChatApis, { bot }: Chat, { botToken }: ChatSecrets): Connection {
  const call = (method: string, fields: Readonly<Record<string, unknown>>) =>
    askSlack(api, botToken, method, fields)

  async function* messagesIn(
    { channel, thread }: Spot,
    fields: Readonly<Record<string, unknown>>,
  ): AsyncGenerator<SlackMessage> {
    let cursor = ''
    for (let pages = 0; pages < most.pages; pages++) {
      const answer = await call(thread === undefined ? 'conversations.history' : 'conversations.replies', {
        channel,
        ...(thread !== undefined && { ts: firstOf(thread) }),
        ...(cursor !== '' && { cursor }),
        limit: most.page,
        ...fields,
      })
      const { messages, response_metadata: next } = page.parse(answer)
      yield* messages
      cursor = next?.next_cursor ?? ''
      if (cursor === '') return
    }
  }

  return {
    async post({ channel, thread }, content, { mark }) {
      const answer = await call('chat.postMessage', {
        channel,
        ...(thread !== undefined && { thread_ts: firstOf(thread) }),
        ...fieldsOf(content),
        // Slack keeps it with the message, and shows it to nobody.
        metadata: { event_type: markType, event_payload: { mark } },
        unfurl_links: false,
        unfurl_media: false,
      })
      return posted.parse(answer).ts
    },
    async findPosted(spot, { mark, since }: Mark) {
      const oldest = String(Math.floor(since.getTime() / 1000) - skew)
      for await (const { ts, metadata } of messagesIn(spot, { oldest, include_all_metadata: true }))
        if (metadata?.event_type === markType && metadata.event_payload.mark === mark) return ts
      return undefined
    },
    async edit({ channel }, id, content) {
      await call('chat.update', { channel, ts: id, ...fieldsOf(content) })
    },
    async tell({ kind, place: { channel, thread }, member }, _, content) {
      const fields = fieldsOf(content)
      await call('chat.postEphemeral', {
        channel,
        user: member.id,
        ...(thread !== '' && { thread_ts: firstOf(thread) }),
        ...fields,
      }).catch(async (error: unknown) => {
        // Commands can be given where the app is no member.
        if (kind !== 'command' || !(error instanceof AppError) || error.code !== 'invalid') throw error
        await call('chat.postMessage', { channel: member.id, ...fields })
      })
    },
    async messagesBefore(spot, id) {
      const before: PastMessage[] = []
      for await (const { ts, text, user } of messagesIn(spot, { latest: id }))
        if (ts !== id) before.push({ id: ts, text: textOf(text, bot), isOwn: user === bot })
      return before
    },
    async nameOf({ id }) {
      const { user } = info.parse(await call('users.info', { user: id }))
      return user.real_name ?? user.name ?? id
    },
  }
}

function fieldsOf({ blocks, buttons, notice }: Content): object {
  return {
    text: notice,
    blocks: [
      ...blocks.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } })),
      ...buttons.map((row) => ({ type: 'actions', elements: row.map(buttonOf) })),
    ],
  }
}

function buttonOf(button: Button): object {
  const text = { type: 'plain_text', text: button.label.slice(0, 75), emoji: false }
  // Slack tells presses of links too, and wants ids that differ.
  if ('url' in button) return { type: 'button', text, url: button.url, action_id: `open ${button.label}` }
  const { id, value, isPrimary = false } = button
  return { type: 'button', text, action_id: id, value, ...(isPrimary && { style: 'primary' }) }
}
