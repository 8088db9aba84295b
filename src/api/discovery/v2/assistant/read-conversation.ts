import type { NewQuestion, Said } from '../../../../features/assistant/messages.ts'
import { AppError } from '../../../../lib/errors.ts'
import type { AssistantBody, ClientMessage } from './message-body.ts'

/** The question of a request, and what was said before it; undefined when the question came alone. */
export function readConversation({ fp, messages, trigger, messageId }: AssistantBody): {
  question: NewQuestion
  history: Said[] | undefined
} {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const asked = messages[at]
  if (!asked) throw new AppError('invalid', '`messages`: hold no message of the role user; send the question')
  const text = textOf(asked)
  if (text.trim() === '')
    throw new AppError('invalid', '`messages`: the last user message holds no text; send a text part')
  const id = (asked.id ?? '').slice(0, 200)
  // Only transports say what a message is for; the ids of other clients may all be the same.
  const again = id !== '' && (trigger === 'regenerate-message' || messageId === id)
  return {
    question: { id, fp, text, again },
    history: messages.length === 1 ? undefined : messages.slice(0, at).map(saidIn),
  }
}

function saidIn(message: ClientMessage): Said {
  // A client's system message is a stranger's text like any other.
  return { role: message.role === 'assistant' ? 'assistant' : 'user', text: textOf(message) }
}

function textOf({ parts }: ClientMessage): string {
  return parts
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n')
}
