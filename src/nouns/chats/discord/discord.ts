import { createHash } from 'node:crypto'
import { z } from 'zod'
import { keepNewest } from '../../../lib/keep-newest.ts'
import {
  firstOf,
  type Button,
  type ChatPlatform,
  type Connection,
  type Content,
  type Incoming,
  type PastMessage,
  type Raw,
  type Spot,
} from '../platform.ts'
import type { ChatApis } from '../../../lib/chat-apis.ts'
import type { Chat, ChatSecrets } from '../table.ts'
import { askDiscord, DiscordRefusal } from './api.ts'
import { openGateway } from './open-gateway.ts'
import { interactionIn, readPacket, textOf } from './read-packet.ts'
import { registerCommands, testBot } from './set-up.ts'

export const discord: ChatPlatform = {
  name: 'Discord',
  markup: 'discord',
  // A message holds 6,000 characters of embeds.
  longest: { block: 2800, blocks: 2 },
  channel: {
    pattern: /^\d{15,22}$/,
    example: '123456789012345678',
    where: 'With Developer Mode on, “Copy Channel ID” in the channel’s menu.',
  },
  editEvery: 1500,
  read: ({ body }, chat) => readPacket(body, chat),
  test: (apis, secrets, workspace) => testBot(apis.discord, secrets.botToken, workspace),
  prepare: (apis, secrets, tested) => registerCommands(apis.discord, secrets.botToken, tested.workspace),
  connect,
  openSocket: (apis, secrets, ports) => Promise.resolve(openGateway(apis.discord, secrets.botToken, ports)),
}

const created = z.looseObject({ id: z.string() })
const past = z.array(
  z.looseObject({
    id: z.string(),
    content: z.string(),
    author: z.looseObject({ id: z.string(), username: z.string() }),
    mentions: z.array(
      z.looseObject({ id: z.string(), username: z.string(), global_name: z.string().nullish() }),
    ),
    embeds: z.array(z.looseObject({ url: z.string().optional() })).default([]),
  }),
)
type PastPage = z.output<typeof past>

/** Discord’s number of what went wrong. */
const threadExists = 160_004
/** Threads that are known to exist. */
const mostThreads = 1000
/** Messages that are looked through, in pages. */
const most = { page: 100, pages: 10 }
/** Milliseconds by which the clocks may differ. */
const skew = 300_000
/** Milliseconds of Discord’s ids count from here. */
const epoch = 1_420_070_400_000
/** Only its receiver sees such a message. */
const ephemeral = 64
const buttonStyles = { primary: 1, secondary: 2, link: 5 }

function connect({ discord: api }: ChatApis, { bot }: Chat, { botToken }: ChatSecrets): Connection {
  const call = (path: string, options?: Parameters<typeof askDiscord>[3]): Promise<unknown> =>
    askDiscord(api, botToken, path, options)
  const existing = new Map<string, true>()

  /** The channel in which the messages of a thread stand, which is made when it is needed. */
  async function channelOf({ channel, thread }: Spot): Promise<string> {
    if (thread === undefined) return channel
    const first = firstOf(thread)
    if (first === channel || existing.has(first)) return first
    const isThere = await call(`channels/${first}`).then(() => true, unlessRefused)
    if (!isThere)
      await call(`channels/${channel}/messages/${first}/threads`, {
        method: 'POST',
        body: { name: 'Docwright', auto_archive_duration: 1440 },
      }).catch((error: unknown) => {
        if (!(error instanceof DiscordRefusal) || error.number !== threadExists) throw error
      })
    keepNewest(existing, mostThreads, first, true)
    return first
  }

  async function* pagesOf(channel: string, start: Record<string, string>): AsyncGenerator<PastPage> {
    let cursor = start
    for (let pages = 0; pages < most.pages; pages++) {
      const query = new URLSearchParams({ limit: String(most.page), ...cursor })
      // Newest first, whichever way the pages go.
      const messages = past.parse(await call(`channels/${channel}/messages?${query.toString()}`))
      yield messages
      const next = 'after' in cursor ? messages[0] : messages.at(-1)
      if (messages.length < most.page || !next) return
      cursor = 'after' in cursor ? { after: next.id } : { before: next.id }
    }
  }

  return {
    async post(spot, content, { mark }) {
      const answer = await call(`channels/${await channelOf(spot)}/messages`, {
        method: 'POST',
        // Discord makes no second message with the same nonce for some minutes, and gives the first one.
        body: { ...bodyOf(content, mark), nonce: hashOf(mark).slice(0, 25), enforce_nonce: true },
      })
      return created.parse(answer).id
    },
    async findPosted(spot, { mark, since }) {
      const after = String(BigInt(Math.max(0, since.getTime() - skew - epoch)) << 22n)
      for await (const messages of pagesOf(await channelOf(spot), { after })) {
        const marked = messages.find(
          ({ author, embeds }) => author.id === bot && embeds[0]?.url === markUrl(mark),
        )
        if (marked) return marked.id
      }
      return undefined
    },
    async edit({ channel, thread }, id, content) {
      // The message that a thread begins with stands in the channel.
      const at = thread === undefined || firstOf(thread) === id ? channel : firstOf(thread)
      await call(`channels/${at}/messages/${id}`, { method: 'PATCH', body: bodyOf(content) })
    },
    async tell({ member }, raw, content) {
      const isTold = await answerInteraction(api, raw, bodyOf(content)).catch((error: unknown) => {
        // The time for it is over.
        if (error instanceof DiscordRefusal) return false
        throw error
      })
      if (isTold) return
      // In a channel everybody would read it.
      const direct = created.parse(
        await call('users/@me/channels', { method: 'POST', body: { recipient_id: member.id } }),
      )
      await call(`channels/${direct.id}/messages`, { method: 'POST', body: bodyOf(content) })
    },
    async finish({ kind }: Incoming, raw) {
      if (kind === 'command') await answerInteraction(api, raw, undefined).catch(unlessRefused)
    },
    async messagesBefore(spot, id) {
      const before: PastMessage[] = []
      for await (const messages of pagesOf(await channelOf(spot), { before: id }))
        for (const { id: one, author, content, mentions } of messages)
          before.unshift({ id: one, text: textOf(content, mentions, bot), isOwn: author.id === bot })
      return before
    },
    nameOf: ({ id, name = id }) => Promise.resolve(name),
  }
}

/** @throws what is no refusal */
function unlessRefused(error: unknown): false {
  if (error instanceof DiscordRefusal) return false
  throw error
}

/**
 * Answers what waits, for its member alone; nothing takes the wait away.
 * @returns false where nothing waits
 */
async function answerInteraction(api: string, { body }: Raw, content: object | undefined): Promise<boolean> {
  const waiting = interactionIn(body)
  if (!waiting) return false
  const path = `webhooks/${waiting.application_id}/${waiting.token}`
  const isButton = waiting.data.custom_id !== undefined
  if (isButton && content)
    await askDiscord(api, undefined, path, { method: 'POST', body: { ...content, flags: ephemeral } })
  else if (!isButton)
    await askDiscord(
      api,
      undefined,
      `${path}/messages/@original`,
      content ? { method: 'PATCH', body: content } : { method: 'DELETE' },
    )
  return true
}

function bodyOf({ blocks, buttons }: Content, mark?: string): object {
  return {
    content: '',
    embeds: blocks.map((description, index) => ({
      description,
      // Discord keeps the address of what has no title, and shows it to nobody.
      ...(index === 0 && mark !== undefined && { url: markUrl(mark) }),
    })),
    components: buttons
      .flatMap((row) => chunks(row, 5))
      .slice(0, 5)
      .map((row) => ({ type: 1, components: row.map(buttonOf) })),
    allowed_mentions: { parse: [] },
  }
}

function buttonOf(button: Button): object {
  const label = button.label.slice(0, 80)
  if ('url' in button) return { type: 2, style: buttonStyles.link, label, url: button.url }
  const { id, value, isPrimary = false } = button
  const style = isPrimary ? buttonStyles.primary : buttonStyles.secondary
  return { type: 2, style, label, custom_id: `${id}\n${value}` }
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) =>
    items.slice(n * size, (n + 1) * size),
  )
}

function markUrl(mark: string): string {
  return `https://docwright.invalid/${hashOf(mark)}`
}

function hashOf(mark: string): string {
  return createHash('sha256').update(mark).digest('hex').slice(0, 32)
}
