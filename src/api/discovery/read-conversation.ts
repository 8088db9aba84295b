import type { NewQuestion, Said } from '../../features/assistant/messages.ts'
import { AppError } from '../../lib/errors.ts'
import type { MessagePart } from './message-body.ts'

/** A client's message, independent of the version's format. */
export interface ClientMessage {
  id: string | undefined
  role: 'user' | 'assistant' | 'system'
  text: string
}

interface Conversation {
  fp: string
  messages: ClientMessage[]
  /** Why an AI SDK transport sends the conversation, and the id of the edited message. */
  trigger?: unknown
  messageId?: unknown
}

/** The question of a request, and what was said before it; undefined when the question came alone. */
export function readConversation({ fp, messages, trigger, messageId }: Conversation): {
  question: NewQuestion
  history: Said[] | undefined
} {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const asked = messages[at]
  if (!asked) throw new AppError('invalid', '`messages`: hold no message of the role user; send the question')
  const { text } = asked
  if (text.trim() === '')
    throw new AppError('invalid', '`messages`: the last user message holds no text; send a text part')
  const id = (asked.id ?? '').slice(0, 200)
  // Only transports send a trigger and a message id. Other clients may use the same id for all messages.
  const again = id !== '' && (trigger === 'regenerate-message' || messageId === id)
  return {
    question: { id, fp, text, again: again ? 'same-id' : 'no' },
    history: messages.length === 1 ? undefined : messages.slice(0, at).map(saidIn),
  }
}

function saidIn({ role, text }: ClientMessage): Said {
  // A system message from a client is as untrusted as any other text.
  return { role: role === 'assistant' ? 'assistant' : 'user', text }
}

export function textOfParts(parts: MessagePart[]): string {
  return parts
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n')
}
