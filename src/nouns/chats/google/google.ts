import { z } from 'zod'
import type { ChatApis } from '../../../lib/chat-apis.ts'
import { AppError } from '../../../lib/errors.ts'
import { sha256 } from '../../../lib/ids.ts'
import {
  firstOf,
  onlyThread,
  type ChatPlatform,
  type Connection,
  type PastMessage,
  type Spot,
} from '../platform.ts'
import type { Chat, ChatSecrets } from '../table.ts'
import { GoogleRefusal, openGoogle, readAccountKey, scopes } from './api.ts'
import { cardsOf } from './card.ts'
import { lastOf, readEvent } from './read-event.ts'
import { verifyCall } from './verify-call.ts'

export const googleChat: ChatPlatform = {
  name: 'Google Chat',
  markup: 'google',
  // A message holds 32,000 bytes.
  longest: { block: 2800, blocks: 3 },
  channel: {
    pattern: /^[\w-]{4,100}$/,
    example: 'AAAAabcdefg',
    where: 'What follows /room/ or /space/ in the address of the space in a browser.',
  },
  // Google Chat allows a space one message or edit a second, of all its apps.
  editEvery: 2500,
  calls: {
    header: 'authorization',
    verify: (apis, { appId }, call) => verifyCall(apis.google, appId, call),
    isAnsweredByJson: true,
  },
  read: ({ body }) => readEvent(body),
  async test(apis, { botToken }) {
    const key = readAccountKey(botToken)
    // Fails also where the Chat API is not turned on, or the app is not configured.
    await openGoogle(apis.google, key)('GET', 'spaces', { query: { pageSize: '1' } })
    return { workspace: key.project_id, name: 'Google Chat', bot: key.client_email, problem: undefined }
  },
  connect,
}

const posted = z.looseObject({
  name: z.string(),
  thread: z.looseObject({ name: z.string() }).optional(),
})
const page = z.looseObject({
  messages: z
    .array(
      z.looseObject({
        name: z.string(),
        text: z.string().default(''),
        sender: z.looseObject({ type: z.string().optional() }).optional(),
      }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
})

/** Messages that are looked through, in pages. */
const most = { page: 100, pages: 10 }
const exists = 409
const missing = 404
const notAllowed = 403

function connect({ google }: ChatApis, _: Chat, { botToken }: ChatSecrets): Connection {
  const ask = openGoogle(google, readAccountKey(botToken))
  const pathOf = (channel: string, message?: string): string =>
    `spaces/${channel}/messages${message === undefined ? '' : `/${message}`}`
  const threadIn = ({ channel, thread }: Spot): { name: string } | undefined => {
    const first = thread === undefined ? onlyThread : firstOf(thread)
    return first === onlyThread ? undefined : { name: `spaces/${channel}/threads/${first}` }
  }

  /** The id of a message by its own name and that of its thread, in which the next ones are told of. */
  function idOf(answer: unknown, name: string): string {
    const { thread } = posted.parse(answer)
    return thread ? `${lastOf(thread.name)}/${name}` : name
  }
  async function find(channel: string, name: string): Promise<string | undefined> {
    return ask('GET', pathOf(channel, name)).then(
      (answer) => idOf(answer, name),
      (error: unknown) => unless(missing, error),
    )
  }

  /** Creates a message once: Google Chat gives the first one for the same request, and refuses a second one of a name. */
  async function create(spot: Spot, mark: string, body: object): Promise<string> {
    const name = nameOf(mark)
    const thread = threadIn(spot)
    const query = {
      requestId: name,
      messageId: name,
      ...(thread && { messageReplyOption: 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD' }),
    }
    const answer = await ask('POST', pathOf(spot.channel), {
      query,
      body: { ...body, ...(thread && { thread }) },
    }).catch((error: unknown) => unless(exists, error))
    if (answer !== undefined) return idOf(answer, name)
    return (await find(spot.channel, name)) ?? name
  }

  return {
    post: (spot, content, { mark }) =>
      create(spot, mark, { cardsV2: cardsOf(content), fallbackText: content.notice.slice(0, 200) }),
    findPosted: ({ channel }, { mark }) => find(channel, nameOf(mark)),
    async edit({ channel }, id, content) {
      const query = { updateMask: 'cards_v2' }
      await ask('PATCH', pathOf(channel, lastOf(id)), { query, body: { cardsV2: cardsOf(content) } })
    },
    async tell({ place, member }, { body }, content) {
      const viewer = { name: `users/${member.id}` }
      await create({ channel: place.channel, thread: place.thread || undefined }, `tell ${body}`, {
        cardsV2: cardsOf(content),
        ...(!place.isDirect && { privateMessageViewer: viewer }),
      })
    },
    async messagesBefore(spot, until) {
      const before: PastMessage[] = []
      let pageToken = ''
      let isBefore = false
      for (let pages = 0; pages < most.pages; pages++) {
        const answer = await ask('GET', pathOf(spot.channel), {
          query: {
            pageSize: String(most.page),
            orderBy: 'create_time DESC',
            filter: `thread.name = ${threadIn(spot)?.name ?? ''}`,
            ...(pageToken !== '' && { pageToken }),
          },
          scope: scopes.messages,
        }).catch((error: unknown) => {
          throw error instanceof GoogleRefusal && error.status === notAllowed ? cannotRead() : error
        })
        const { messages, nextPageToken = '' } = page.parse(answer)
        for (const { name, text, sender } of messages) {
          if (isBefore) before.unshift({ id: lastOf(name), text, isOwn: sender?.type === 'BOT' })
          if (lastOf(name) === until) isBefore = true
        }
        pageToken = nextPageToken
        if (pageToken === '') break
      }
      return before
    },
    nameOf: ({ id, name = id }) => Promise.resolve(name),
  }
}

/** @throws what is another refusal, or none */
function unless(status: number, error: unknown): undefined {
  if (error instanceof GoogleRefusal && error.status === status) return undefined
  throw error
}

function cannotRead(): AppError {
  return new AppError(
    'invalid',
    'An administrator of Google Workspace hasn’t allowed this app to read the messages of spaces. Write what was decided in your message',
  )
}

/** A name for a message, of the form that Google Chat asks for. */
function nameOf(mark: string): string {
  return `client-${sha256(mark).slice(0, 40)}`
}
