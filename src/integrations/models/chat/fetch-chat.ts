import { fetchAnswer } from '../fetch-answer.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { keepNewest } from '../../../lib/keep-newest.ts'
import { asJson, remade } from '../remake-answer.ts'
import { mendAnswer, statusOfError } from './mend-answer.ts'
import { mendEvents } from './mend-events.ts'
import { meetNeeds, needIn, type Need } from './meet-needs.ts'
import { mendRequest } from './mend-request.ts'
import type { Habit } from './read-text.ts'

/**
 * The fetch for servers with OpenAI's Chat Completions. Many of them deviate from it: requests are written as all of them
 * take them, their answers are rewritten as OpenAI sends them, and errors with a status of success become errors.
 */
export async function fetchChat(...[address, given]: Parameters<typeof fetch>): Promise<Response> {
  const body = typeof given?.body === 'string' ? mendRequest(given.body) : given?.body
  const response = await fetchMended(address, given, body)
  if (!response.ok || response.body === null) return response
  const streams = wantsStream(body)
  const { text, value } = await asJson(response)
  if (text !== undefined) return answerFrom(response, text, value, streams)
  if (!streams) return response
  return remade(response, mendEvents(response.body, habitOf(response.url, body)))
}

/** By address and model. */
const habitsByModel = new Map<string, Habit>()

function habitOf(address: string, body: unknown): Habit {
  return knownOf(habitsByModel, `${address} ${modelIn(body)}`, { begins: 'unknown' })
}

const mostModels = 200

function knownOf<Value>(values: Map<string, Value>, model: string, usual: Value): Value {
  const value = values.get(model) ?? usual
  keepNewest(values, mostModels, model, value)
  return value
}

// It comes first in what the package writes.
function modelIn(body: unknown): string {
  const [, model = ''] =
    typeof body === 'string' ? (/"model":"([^"]{1,200})"/.exec(body.slice(0, 300)) ?? []) : []
  return model
}

/** By address and model. */
const needsByModel = new Map<string, Set<Need>>()

/** What a model's chat template refuses is left out from then on, as far as the same can be said otherwise. */
async function fetchMended(
  address: Parameters<typeof fetch>[0],
  given: Parameters<typeof fetch>[1],
  body: NonNullable<Parameters<typeof fetch>[1]>['body'],
): Promise<Response> {
  const send = (sent: typeof body): Promise<Response> =>
    fetchAnswer(address, { ...given, ...(sent !== undefined && { body: sent }) })
  if (typeof body !== 'string') return send(body)
  const url = address instanceof Request ? address.url : address.toString()
  const known = knownOf(needsByModel, `${url} ${modelIn(body)}`, new Set())
  // Another call may learn of a need while this one is under way.
  const met = new Set(known)
  const response = await send(meetNeeds(body, met))
  if (response.ok || response.status < 400) return response
  const text = await response.text()
  const need = needIn(text)
  if (need === undefined || met.has(need)) return remade(response, text)
  known.add(need)
  return send(meetNeeds(body, known))
}

function answerFrom(response: Response, text: string, answer: unknown, streams: boolean): Response {
  if (!isRecord(answer)) return remade(response, text)
  const status = statusOfError(answer)
  if (status !== undefined) return remade(response, text, status)
  mendAnswer(answer)
  return remade(response, streams ? asEvents(answer) : JSON.stringify(answer))
}

/** Some servers cannot stream, and give the whole answer instead. */
function asEvents(answer: Record<string, unknown>): string {
  const choices = Array.isArray(answer['choices']) ? answer['choices'].filter(isRecord) : []
  const pieces = choices.map(({ message, ...choice }) => ({ ...choice, delta: withIndexes(message) }))
  return `data: ${JSON.stringify({ ...answer, choices: pieces })}\n\ndata: [DONE]\n\n`
}

function withIndexes(message: unknown): unknown {
  if (!isRecord(message) || !Array.isArray(message['tool_calls'])) return message
  const calls = message['tool_calls'].filter(isRecord)
  return { ...message, tool_calls: calls.map((call, index) => ({ ...call, index })) }
}

// In a text of the conversation, the quotation marks would be escaped.
function wantsStream(body: unknown): boolean {
  return typeof body === 'string' && body.includes('"stream":true')
}
