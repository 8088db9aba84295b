import type { Attachment } from '../../features/assistant/attachments.ts'
import type { NewQuestion, Said } from '../../features/assistant/threads/messages.ts'
import { AppError } from '../../lib/errors.ts'
import type { MessagePart } from './message-body.ts'

/** A client's message, independent of the version's format. */
export interface ClientMessage {
  id: string | undefined
  role: 'user' | 'assistant' | 'system'
  text: string
  attachments: Attachment[]
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
  attachments: Attachment[]
} {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const message = messages[at]
  if (!message)
    throw new AppError('invalid', '`messages` must contain a message with the role `user`. Send the question')
  const { text, attachments } = message
  if (text.trim() === '') {
    const what = attachments.length > 0 ? 'only files' : 'no text'
    throw new AppError('invalid', `\`messages\`: the last user message holds ${what}; send a text part`)
  }
  const id = (message.id ?? '').slice(0, 200)
  // Only transports send a trigger and a message id. Other clients may use the same id for all messages.
  const again = id !== '' && (trigger === 'regenerate-message' || messageId === id)
  return {
    question: { id, fp, text, again: again ? 'same-id' : 'no' },
    attachments,
    history: messages.length === 1 ? undefined : messages.slice(0, at).map(saidIn),
  }
}

function saidIn({ role, text }: ClientMessage): Said {
  // A system message from a client is as untrusted as any other text.
  return { role: role === 'assistant' ? 'assistant' : 'user', text }
}

/** The files among the parts of a message, in the form of AI SDK 5 and later. */
export function filesOfParts(parts: MessagePart[]): Attachment[] {
  return parts.flatMap((part) =>
    part.type === 'file'
      ? [
          {
            name: textIn(part['filename']),
            mediaType: textIn(part['mediaType']),
            url: textIn(part['url']) ?? '',
          },
        ]
      : [],
  )
}

/** A value of an untrusted field, if it is text. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function textOfParts(parts: MessagePart[]): string {
  return parts
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n')
}
