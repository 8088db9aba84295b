import { fetchAnswer } from '../fetch-answer.ts'
import { isRecord } from '../is-record.ts'
import { mendAnswer } from './mend-answer.ts'
import { mendEvents } from './mend-events.ts'
import { statusOfError } from './own-error.ts'

/**
 * The fetch of servers with OpenAI's Chat Completions, which many speak with an accent: their answers are brought into
 * the form that OpenAI gives them, and errors that come as a success into that of errors.
 */
export async function fetchChat(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetchAnswer(...request)
  if (!response.ok || response.body === null) return response
  const streams = wantsStream(request[1]?.body)
  const type = response.headers.get('content-type') ?? ''
  if (/^application\/json\b/i.test(type)) return answerFrom(response, streams)
  if (!streams) return response
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(mendEvents())
    .pipeThrough(new TextEncoderStream())
  return remade(response, events)
}

async function answerFrom(response: Response, streams: boolean): Promise<Response> {
  const text = await response.text()
  const answer = parse(text)
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

function remade(response: Response, body: string | ReadableStream, status = response.status): Response {
  const headers = new Headers(response.headers)
  // Its bytes are others now.
  for (const name of ['content-length', 'content-encoding']) headers.delete(name)
  return new Response(body, { status, headers })
}

function wantsStream(body: unknown): boolean {
  const asked = typeof body === 'string' ? parse(body) : undefined
  return isRecord(asked) && asked['stream'] === true
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
