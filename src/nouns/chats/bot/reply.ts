import type { Adapter, CardElement, Channel } from 'chat'
import { noteReply } from '../events.ts'
import type { BotPorts, Thread, Turn } from './ports.ts'
import { messageOf } from './show.ts'

/** Where a reply is posted. */
export interface Spot {
  adapter: Adapter
  /** @returns the id of the message */
  post(content: CardElement): Promise<string>
  /** What an earlier attempt may have posted without noting it. */
  posted?(): Promise<string | undefined>
  /** The thread in which the reply with an id is, or which it begins. */
  threadOf(id: string): string
}

/** The one message that answers an event, posted once and edited from then on. */
export interface Reply {
  thread: string
  edit(content: CardElement): Promise<void>
}

/** Milliseconds between two edits of a message: Slack allows about one a second. */
export const editEvery = 1200

/** Posts the reply to an event, or finds the one that an earlier attempt has posted. */
export async function openReply(
  ports: Pick<BotPorts, 'store' | 'readMarkdown'>,
  { event, project }: Turn,
  spot: Spot,
  markdown: string,
): Promise<Reply> {
  const earlier = event.reply ?? (event.attempt > 1 ? await spot.posted?.() : undefined)
  const id = earlier ?? (await spot.post(await messageOf(ports, project.id, markdown)))
  if (event.reply !== id) await ports.store.transaction((tx) => noteReply(tx, event, id))
  event.reply = id
  const thread = spot.threadOf(id)
  return {
    thread,
    async edit(next) {
      await spot.adapter.editMessage(thread, id, { card: next })
    },
  }
}

/** Below a message of a person. */
export function inThread(thread: Thread, after: string): Spot {
  return {
    adapter: thread.adapter,
    post: async (content) => (await thread.post(content)).id,
    posted: () => ownMessageAfter(thread, after),
    threadOf: () => thread.id,
  }
}

/** At the end of a channel, where the reply begins a thread of its own. */
export function inChannel(channel: Channel): Spot {
  return {
    adapter: channel.adapter,
    post: async (content) => (await channel.post(content)).id,
    threadOf: (id) => `${channel.id}:${id}`,
  }
}

/** Messages of a thread that are looked through. */
const mostSearched = 50

async function ownMessageAfter(thread: Thread, after: string): Promise<string | undefined> {
  let searched = 0
  let reply: string | undefined
  for await (const message of thread.messages) {
    if (message.id === after || ++searched > mostSearched) break
    // Newest first: what others said later does not hide it.
    if (message.author.isMe) reply = message.id
  }
  return reply
}
