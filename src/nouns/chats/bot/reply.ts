import { noteReply } from '../events.ts'
import { contentOf } from '../markup.ts'
import { threadName, type Button, type Content, type Incoming, type Spot } from '../platform.ts'
import type { BotPorts, Turn } from './ports.ts'

/** The one message that answers an event, posted once and edited from then on. */
export interface Reply {
  /** In which it is, or which it begins. */
  thread: string
  edit(content: Content): Promise<void>
}

/** Posts the reply to an event, or finds the one that an earlier attempt has posted. */
export async function openReply(
  ports: Pick<BotPorts, 'store' | 'readMarkdown'>,
  turn: Turn,
  spot: Spot,
  markdown: string,
): Promise<Reply> {
  const { event, chat, connection } = turn
  const mark = { mark: event.key, since: event.receivedAt }
  const earlier = event.reply ?? (event.attempt > 1 ? await connection.findPosted(spot, mark) : undefined)
  const id = earlier ?? (await connection.post(spot, await messageOf(ports, turn, markdown), mark))
  if (event.reply !== id) await ports.store.transaction((tx) => noteReply(tx, event, id))
  event.reply = id
  const thread = spot.thread ?? threadName(chat.platform, spot.channel, id)
  return { thread, edit: (content) => connection.edit({ channel: spot.channel, thread }, id, content) }
}

/** Markdown as a message of the platform, with buttons below it. */
export function messageOf(
  { readMarkdown }: Pick<BotPorts, 'readMarkdown'>,
  { platform, project }: Pick<Turn, 'platform' | 'project'>,
  markdown: string,
  ...buttons: readonly Button[][]
): Promise<Content> {
  return contentOf(readMarkdown, platform, { projectId: project.id, markdown }, ...buttons)
}

/** Says something to the member alone who gave a command or pressed a button. */
export async function tellMember(
  ports: Pick<BotPorts, 'readMarkdown'>,
  turn: Turn,
  incoming: Incoming,
  markdown: string,
): Promise<void> {
  await turn.connection.tell(incoming, turn.event, await messageOf(ports, turn, markdown))
}
