import { fetchAnswer } from '../fetch-answer.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { asJson, remade } from '../remake-answer.ts'
import { mendAnswer, statusOfError } from './mend-answer.ts'
import { mendEvents } from './mend-events.ts'
import { mendRequest } from './mend-request.ts'
import type { Habit } from './read-text.ts'

/**
 * The fetch for servers with OpenAI's Chat Completions. Many of them deviate from it: requests are written as all of them
 * take them, their answers are rewritten as OpenAI sends them, and errors with a status of success become errors.
 */
export async function fetchChat(...[address, given]: Parameters<typeof fetch>): Promise<Response> {
  const body = typeof given?.body === 'string' ? mendRequest(given.body) : given?.body
  const response = await fetchAnswer(address, { ...given, ...(body !== undefined && { body }) })
  if (!response.ok || response.body === null) return response
  const streams = wantsStream(body)
  const { text, value } = await asJson(response)
  if (text !== undefined) return answerFrom(response, text, value, streams)
  if (!streams) return response
  return remade(response, mendEvents(response.body, habitOf(response.url, body)))
}

/** By address and model. */
const habits = new Map<string, Habit>()
const mostHabits = 200

function habitOf(address: string, body: unknown): Habit {
  const [, model = ''] =
    typeof body === 'string' ? (/"model":"([^"]{1,200})"/.exec(body.slice(0, 300)) ?? []) : []
  const name = `${address} ${model}`
  const habit = habits.get(name) ?? { begins: 'unknown' }
  habits.delete(name)
  habits.set(name, habit)
  for (const oldest of habits.keys()) if (habits.size > mostHabits) habits.delete(oldest)
  return habit
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
