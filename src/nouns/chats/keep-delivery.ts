import type { Reader, Store } from '../../store/database.ts'
import { keepEvent } from './events.ts'
import { readDelivery, type SlackDelivery } from './slack/read-delivery.ts'
import { deleteChat, findChannel, type Chat } from './table.ts'
import { findThread } from './threads.ts'

/** Keeps what a platform has sent, if it matters, before it is acknowledged. It must be certain that the platform sent it. */
export async function keepDelivery(
  store: Store,
  chat: Chat,
  { contentType, body }: { contentType: string; body: string },
): Promise<SlackDelivery> {
  const delivery = readDelivery(contentType, body, chat.bot)
  if (delivery.kind === 'removed') await store.transaction((tx) => deleteChat(tx, chat.id))
  if (delivery.kind === 'event' && (await matters(store.db, chat, delivery.event))) {
    const { key, thread } = delivery.event
    await store.transaction((tx) => keepEvent(tx, { chatId: chat.id, key, thread, contentType, body }))
  }
  return delivery
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
