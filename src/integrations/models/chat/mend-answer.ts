import { isRecord } from '../../../lib/is-record.ts'
import { readText } from './read-text.ts'

/** Rewrites a whole answer, or a piece of one, as OpenAI sends it. */
export function mendAnswer(answer: Record<string, unknown>): void {
  if (!Array.isArray(answer['choices'])) answer['choices'] = []
  const [choice]: unknown[] = Array.isArray(answer['choices']) ? answer['choices'] : []
  if (!isRecord(choice)) return
  const { message } = choice
  if (!isRecord(message)) return
  mendMessage(message)
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'] : []
  for (const call of calls) {
    const called = isRecord(call) ? call['function'] : undefined
    if (isRecord(called)) called['arguments'] = wholeArguments(called['arguments'])
  }
  const { content } = message
  if (typeof content !== 'string') return
  const { thought, said } = readText(content)
  message['content'] = said
  if (thought !== '') message['reasoning_content'] ??= thought
}

/** The fields that pieces of a message have as well. */
export function mendMessage(message: Record<string, unknown>): void {
  if ('role' in message) message['role'] = 'assistant'
  if (Array.isArray(message['content'])) mendParts(message, message['content'].filter(isRecord))
  for (const name of ['reasoning', 'reasoning_content'])
    if (typeof message[name] !== 'string') delete message[name]
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'] : []
  for (const call of calls) {
    const called = isRecord(call) ? call['function'] : undefined
    if (isRecord(called) && isRecord(called['arguments']))
      called['arguments'] = JSON.stringify(called['arguments'])
  }
}

/** Some models of Mistral answer in parts of text and of thoughts, which are parts themselves. */
function mendParts(message: Record<string, unknown>, parts: Record<string, unknown>[]): void {
  const textOf = (part: Record<string, unknown>): string =>
    typeof part['text'] === 'string' ? part['text'] : ''
  const thoughts = parts.flatMap(({ thinking }) => (Array.isArray(thinking) ? thinking.filter(isRecord) : []))
  message['content'] = parts.map(textOf).join('')
  const thought = thoughts.map(textOf).join('')
  if (thought !== '') message['reasoning_content'] ??= thought
}

// Some servers leave arguments out when there are none, and some encode them as JSON twice.
function wholeArguments(given: unknown): unknown {
  if (given === undefined || given === null || given === '') return '{}'
  if (typeof given !== 'string' || !given.startsWith('"')) return given
  try {
    const inner: unknown = JSON.parse(given)
    return typeof inner === 'string' && inner.startsWith('{') ? inner : given
  } catch {
    return given
  }
}

/** The status that an error within a success should have had; undefined where there is none. */
export function statusOfError(answer: Record<string, unknown>): number | undefined {
  const [choice]: unknown[] = Array.isArray(answer['choices']) ? answer['choices'] : []
  if (isRecord(choice) && choice['finish_reason'] !== 'error') return undefined
  const error = answer['error'] ?? (isRecord(choice) ? choice['error'] : undefined)
  if (typeof error === 'string') return /unexpected endpoint/i.test(error) ? 404 : 502
  if (!isRecord(error)) return undefined
  const code = Number(error['code'])
  if (code >= 400 && code < 600) return code
  const said = `${String(error['type'])} ${String(error['code'])}`
  if (said.includes('rate_limit')) return 429
  return said.includes('invalid_request') ? 400 : 502
}
