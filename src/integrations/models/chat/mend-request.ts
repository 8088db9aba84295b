import { createHash } from 'node:crypto'
import { isRecord } from '../../../lib/is-record.ts'

/**
 * A request to a server with OpenAI's Chat Completions as the chat templates of open models take it, which the server
 * applies to it: roles take turns, an answer is never `null`, and ids of calls are nine letters or digits. Many refuse
 * all else. Made from the request alone, so that the same conversation is always the same prefix for their caches.
 */
export function mendRequest(body: string): string {
  const request: unknown = JSON.parse(body)
  if (!isRecord(request) || !Array.isArray(request['messages'])) return body
  const messages: Message[] = []
  for (const message of request['messages'].filter(isRecord)) {
    const next = withPlainCalls(message)
    const previous = messages.at(-1)
    const joined = previous && join(previous, next)
    if (joined === undefined) messages.push(next)
    else messages.splice(-1, 1, joined)
  }
  return JSON.stringify({ ...request, messages })
}

type Message = Record<string, unknown>

function withPlainCalls(message: Message): Message {
  const { tool_calls: calls, tool_call_id: answered, content } = message
  if (typeof answered === 'string') return { ...message, tool_call_id: callId(answered) }
  if (!Array.isArray(calls)) return message
  return {
    ...message,
    content: content ?? '',
    tool_calls: calls.map((call: unknown) =>
      isRecord(call) && typeof call['id'] === 'string' ? { ...call, id: callId(call['id']) } : call,
    ),
  }
}

/** A longer one carries more than a name: gateways put the signatures of Google's models into it. */
const longestName = 64

function callId(id: string): string {
  if (/^[a-z\d]{9}$/i.test(id) || id.length > longestName) return id
  return createHash('sha256').update(id).digest('hex').slice(0, 9)
}

/** Both as one message, where templates would refuse them one after the other. */
function join(one: Message, other: Message): Message | undefined {
  const isSame =
    one['role'] === other['role'] && ['system', 'user', 'assistant'].includes(String(one['role']))
  // Templates leave the results of tools out when they count turns, so that a user's message would follow another.
  const isAfterTool = one['role'] === 'tool' && other['role'] === 'user'
  if (!isSame && !isAfterTool) return undefined
  if (one['tool_calls'] !== undefined) return undefined
  const content = joinContents(one['content'], other['content'], isAfterTool)
  return content === undefined ? undefined : { ...one, ...(isSame && other), content }
}

function joinContents(one: unknown, other: unknown, onlyText: boolean): unknown {
  if (typeof one === 'string' && typeof other === 'string')
    return [one, other].filter((text) => text !== '').join('\n\n')
  const [parts, others] = [partsOf(one), partsOf(other)]
  if (parts === undefined || others === undefined || onlyText) return undefined
  return [...parts, ...others]
}

function partsOf(content: unknown): unknown[] | undefined {
  if (Array.isArray(content)) return content
  return typeof content === 'string' ? [{ type: 'text', text: content }] : undefined
}
