import type { AssistantModelMessage, FinishReason, ModelMessage, TypedToolCall, ToolSet } from 'ai'
import { messageOf } from '../../../lib/errors.ts'
import { storableJson } from '../../../lib/text/storable-json.ts'
import { withInputs, type StepResponse, type ToolCall } from '../turns/steps.ts'
import type { WrittenCalls } from './read-written-calls.ts'
import { isRecord } from '../../../lib/is-record.ts'

type AnswerPart = Exclude<AssistantModelMessage['content'], string>[number]

/** The most calls of one answer that are read. No sensible answer has more. */
const mostCalls = 200

/**
 * Turns a model's answer into the form that is stored and replayed: every call has a unique id, and a name and an
 * input that providers accept. A call that was cut off is left out.
 */
export function readResponse(
  result: {
    response: { messages: readonly ModelMessage[] }
    toolCalls: readonly TypedToolCall<ToolSet>[]
    text: string
    finishReason: FinishReason
  },
  n: number,
  usedIds: Iterable<string>,
  findWritten: (text: string) => WrittenCalls | undefined = () => undefined,
): StepResponse {
  const ids = new Set(usedIds)
  const cut = cutFrom(result.toolCalls, result.finishReason)
  const calls: ToolCall[] = []
  let index = 0
  // The SDK adds results for invalid calls, which are dropped: all results are ours, and come from the journal.
  const answers = result.response.messages.filter((message) => message.role === 'assistant')
  const keep = (part: AnswerPart): AnswerPart[] => {
    if (part.type === 'text') return part.text.trim() === '' && !part.providerOptions ? [] : [part]
    if (part.type === 'reasoning') return [part]
    if (part.type !== 'tool-call') return []
    const call = result.toolCalls[index++]
    if (call === undefined || index > cut) return []
    const id = ownId(part.toolCallId, ids, `${n}_${index}`)
    const name = safeName(part.toolName)
    const input: unknown = isRecord(part.input) ? part.input : {}
    calls.push({ id, name, input, invalid: objectionTo(call) })
    return [{ ...part, toolCallId: id, toolName: name, input }]
  }
  const messages = answers.flatMap(({ content }): AssistantModelMessage[] => {
    const parts: AnswerPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const kept = parts.flatMap(keep)
    return kept.length === 0 ? [] : [{ role: 'assistant', content: kept }]
  })
  const isWhole = result.toolCalls.length === 0 && result.finishReason !== 'length'
  const written = isWhole ? findWritten(result.text) : undefined
  if (written !== undefined) {
    const parts = written.calls.map(({ name, input }, index) => {
      const id = ownId('', ids, `${n}_${index + 1}`)
      calls.push({ id, name, input, invalid: undefined })
      return { type: 'tool-call' as const, toolCallId: id, toolName: name, input }
    })
    const lead = written.lead === '' ? [] : [{ type: 'text' as const, text: written.lead }]
    messages.splice(0, messages.length, { role: 'assistant', content: [...lead, ...parts] })
  }
  const left = Math.max(0, result.toolCalls.length - calls.length)
  // The same value as when it is read from the database, so that a resumed turn sees the same answer.
  return withInputs(
    storableJson({
      messages,
      text: written?.lead ?? result.text,
      calls: calls.map(({ id, name, invalid }) => ({ id, name, invalid })),
      finish: written === undefined ? result.finishReason : 'tool-calls',
      ...(left > 0 && { cut: left }),
    }) as StepResponse,
  )
}

// In an answer that was cut off, the last call may be valid and still lack half of a text.
function cutFrom(calls: readonly TypedToolCall<ToolSet>[], finish: FinishReason): number {
  if (finish !== 'length') return mostCalls
  const broken = calls.findIndex((call) => objectionTo(call) !== undefined)
  return Math.min(mostCalls, Math.max(0, calls.length - 1), broken === -1 ? Infinity : broken)
}

function objectionTo(call: TypedToolCall<ToolSet>): string | undefined {
  if (!('invalid' in call) || call.invalid !== true) return undefined
  let reason: unknown = 'error' in call ? call.error : undefined
  // The outer errors repeat the whole input.
  while (reason instanceof Error && reason.cause !== undefined) reason = reason.cause
  return messageOf(reason).slice(0, 300)
}

// Duplicate ids would pair a result with the wrong call, and other providers accept only simple ones.
function ownId(id: string, used: Set<string>, otherwise: string): string {
  const own = /^[\w-]{1,64}$/.test(id) && !used.has(id) ? id : `call_${otherwise}`
  const free = used.has(own) ? `${own}_own` : own
  used.add(free)
  return free
}

function safeName(name: string): string {
  return name.replaceAll(/[^\w-]/g, '_').slice(0, 64) || 'unnamed'
}
