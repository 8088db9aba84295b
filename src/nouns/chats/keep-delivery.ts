import type { Reader, Store } from '../../store/database.ts'
import { keepEvent } from './events.ts'
import { threadName, type Delivery, type Incoming, type Raw } from './platform.ts'
import { platforms } from './platforms.ts'
import { deleteChannel, deleteChat, findChannel, unlink, type Chat } from './table.ts'
import { findThread } from './threads.ts'

interface Kept {
  delivery: Delivery
  /** Whether something is to be answered. */
  isEvent: boolean
}

/**
 * Keeps what a platform has sent, if it matters, before it is acknowledged. It must be certain that the platform sent it.
 * @param session where the socket stands after it
 */
export async function keepDelivery(store: Store, chat: Chat, raw: Raw, session?: string): Promise<Kept> {
  const delivery = platforms[chat.platform].read(raw, chat)
  if (delivery.kind === 'removed') await store.transaction((tx) => deleteChat(tx, chat.id))
  if (delivery.kind === 'left') {
    const { channel, member } = delivery
    await store.transaction(async (tx) => {
      if (channel !== undefined) await deleteChannel(tx, chat.id, channel)
      if (member !== undefined) await unlink(tx, chat.id, member)
    })
  }
  const isEvent = delivery.kind === 'event' && (await matters(store.db, chat, delivery.incoming))
  if (isEvent) {
    const { key, incoming, address = chat.address } = delivery
    await store.transaction(async (tx) => {
      // The events of a command have no thread yet, and wait for no other one.
      const thread = incoming.place.thread || threadName(chat.platform, incoming.place.channel, key)
      await keepEvent(tx, { chatId: chat.id, key, thread, ...raw })
      if (session !== undefined || address !== chat.address)
        await tx
          .updateTable('chats')
          .set({ ...(session !== undefined && { session }), ...(address !== undefined && { address }) })
          .where('id', '=', chat.id)
          .execute()
    })
  }
  return { delivery, isEvent }
}

/** Of what people write to each other nothing is kept, unless the bot is asked or takes part. */
async function matters(reader: Reader, chat: Chat, incoming: Incoming): Promise<boolean> {
  const { channel, thread, isDirect } = incoming.place
  if (incoming.kind !== 'message' || isDirect || incoming.isMention) return true
  const answers = (await findChannel(reader, chat.id, channel))?.answers
  if (answers === 'quiet') return false
  return answers === 'everything' || (await findThread(reader, chat.id, thread)) !== undefined
}
