import { textIn } from '../../../api/discovery/read-conversation.ts'
import { ask } from '../../../features/assistant/ask.ts'
import { giveFeedback } from '../../../features/assistant/insights/feedback.ts'
import type { Frame } from '../../../features/assistant/streams/downgrade-frames.ts'
import { countLimits, LimitError, limits } from '../../../features/projects/limits.ts'
import { sha256 } from '../../../lib/ids.ts'
import type { Button, Content, Spot } from '../platform.ts'
import { findChannel } from '../table.ts'
import { findThread, ifAbout, saveThread } from '../threads.ts'
import type { BotPorts, Turn } from './ports.ts'
import { messageOf, openReply } from './reply.ts'

interface Asked {
  member: string
  question: string
  /** What the answer is shown below, where the question does not stand above it. */
  lead?: string
}

/** Answers a question: one message, which grows while the answer is written. */
export async function askAt(
  ports: BotPorts,
  turn: Turn,
  spot: Spot,
  { member, question, lead = '' }: Asked,
): Promise<void> {
  const { chat, project, event } = turn
  const reply = await openReply(ports, turn, spot, `${lead}Searching the docs …`)
  const asMessage = (text: string, ...buttons: Button[][]): Promise<Content> =>
    messageOf(ports, turn, `${lead}${text}`, ...buttons)
  const place = { chatId: chat.id, thread: reply.thread }
  const before = ifAbout(await findThread(ports.store.db, chat.id, reply.thread), project.id)
  const reader = readerOf(chat.id, member)
  const { organizationId } = project
  const { language = '' } = (await findChannel(ports.store.db, chat.id, spot.channel)) ?? {}
  const answer = await ask(ports.assistant, {
    project,
    threadId: before?.conversation,
    // An event that is worked on again asks the same question again.
    question: { id: event.key, fp: reader, text: question, again: 'same-id' },
    history: undefined,
    pageSize: 10,
    filter: language === '' ? undefined : { language },
    currentPath: undefined,
    caller: 'chat',
    context: [],
    signal: ports.stopping,
    charge: (tx) =>
      countLimits(tx, [
        { limit: limits.assistantOrganization, subject: organizationId, organizationId },
        { limit: limits.assistantReader, subject: reader, organizationId },
      ]),
  }).catch(async (error: unknown) => {
    if (!(error instanceof LimitError)) throw error
    await reply.edit(await asMessage(error.message))
  })
  if (!answer) return
  const { threadId: conversation } = answer
  const begun = { projectId: project.id, starter: member, conversation }
  await ports.store.transaction((tx) => saveThread(tx, place, begun))
  const said = await readAnswer(answer.frames, turn.platform.editEvery, async (text) =>
    reply.edit(await asMessage(text)),
  )
  const value = `${conversation} ${said.id}`
  const buttons = [
    { id: 'up', label: 'Helpful', value },
    { id: 'down', label: 'Not helpful', value },
  ]
  await reply.edit(await asMessage(said.text, buttons))
}

/** Records what somebody thinks of an answer, by one of its buttons. */
export async function rateAnswer(
  { store }: BotPorts,
  { chat, project }: Turn,
  { member, rating, value }: { member: string; rating: 'up' | 'down'; value: string },
): Promise<void> {
  const at = value.lastIndexOf(' ')
  const [threadId, messageId] = [value.slice(0, at), value.slice(at + 1)]
  await store.transaction((tx) =>
    giveFeedback(tx, project.id, {
      threadId,
      messageId,
      rating,
      reason: undefined,
      note: undefined,
      fp: readerOf(chat.id, member),
      caller: 'chat',
    }),
  )
}

/** Tells readers of a workspace apart, without naming them. */
function readerOf(chatId: string, member: string): string {
  return `chat_${sha256(`${chatId} ${member}`).slice(0, 32)}`
}

async function readAnswer(
  frames: AsyncGenerator<Frame>,
  editEvery: number,
  show: (text: string) => Promise<void>,
): Promise<{ text: string; id: string }> {
  let text = ''
  let id = ''
  let shown = Date.now()
  for await (const frame of frames) {
    if (frame.type === 'start') id = textIn(frame['messageId']) ?? ''
    if (frame.type === 'text-delta' && typeof frame['delta'] === 'string') text += frame['delta']
    if (frame.type === 'error') text += `\n\n${textIn(frame['errorText']) ?? 'The answer broke off.'}`
    if (text === '' || Date.now() - shown < editEvery) continue
    await show(`${text} …`)
    shown = Date.now()
  }
  return { text: text.trim() === '' ? 'There was no answer.' : text.trim(), id }
}
