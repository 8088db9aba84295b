import { isRecord } from '../../../lib/is-record.ts'
import { mapStream } from '../../../lib/map-stream.ts'
import { mendAnswer, mendMessage, statusOfError } from './mend-answer.ts'
import { createTextReader, type Habit } from './read-text.ts'
import { jsonOf } from '../../../lib/text/json-of.ts'

const longestLine = 4_000_000

type Line = string | Record<string, unknown>

/**
 * Rewrites the events of a streamed answer as OpenAI sends them. While many answers stream at once, words of one that
 * arrive together become one event: the busier the server, the more arrive together, and the less it does for each.
 */
export function mendEvents(
  events: ReadableStream<Uint8Array>,
  habit: Habit,
  isBusy = manyArrive,
): ReadableStream<Uint8Array> {
  const reader = createTextReader(habit)
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let rest = ''
  let brought = false
  let finished = false
  const mend = (line: string): Line => {
    if (!line.startsWith('data:')) return line
    const data = line.slice('data:'.length).trim()
    // A stream that ends by its final event has finished, even without a reason.
    if (data === '[DONE]') {
      if (!brought || finished) return line
      const last = { index: 0, delta: {}, finish_reason: 'stop' }
      mendDelta(last.delta, reader, true)
      return `data: ${JSON.stringify({ choices: [last] })}\n\n${line}`
    }
    const piece = jsonOf(data)
    if (!isRecord(piece)) return line
    const status = statusOfError(piece)
    if (status !== undefined) return `data: ${JSON.stringify({ error: errorOf(piece, status) })}`
    mendAnswer(piece)
    const [choice]: unknown[] = Array.isArray(piece['choices']) ? piece['choices'] : []
    if (isRecord(choice)) {
      const ends = typeof choice['finish_reason'] === 'string' && !finished
      finished ||= ends
      brought = true
      if (!isRecord(choice['delta']) && ends) choice['delta'] = {}
      if (isRecord(choice['delta'])) mendDelta(choice['delta'], reader, ends)
    }
    return piece
  }
  return mapStream(
    events,
    (bytes) => {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > longestLine) throw new Error('A line of the answer is too long')
      const mended = lines.map((line) => mend(line.endsWith('\r') ? line.slice(0, -1) : line))
      const sent = isBusy() ? joinTexts(mended) : mended
      return sent.length === 0 ? undefined : encoder.encode(sent.map(print).join(''))
    },
    () => {
      rest += decoder.decode()
      return rest === '' ? undefined : encoder.encode(`${print(mend(rest))}\n`)
    },
  )
}

/** Chunks a second, of all answers together. A single fast model sends far fewer. */
const many = 500
/** Milliseconds over which they are counted. */
const period = 100
let [countedSince, counted, perSecond] = [0, 0, 0]

/** Called for each chunk. */
function manyArrive(): boolean {
  const passed = performance.now() - countedSince
  counted += 1
  if (passed >= period) {
    perSecond = (counted * 1000) / passed
    countedSince += passed
    counted = 0
  }
  return perSecond >= many
}

function print(line: Line): string {
  return typeof line === 'string' ? `${line}\n` : `data: ${JSON.stringify(line)}\n`
}

/** Puts the text of a piece into the piece before it, where neither holds anything else. */
function joinTexts(lines: readonly Line[]): Line[] {
  const joined: Line[] = []
  let last: Record<string, unknown> | undefined
  for (const line of lines) {
    const delta = typeof line === 'string' ? undefined : textDeltaOf(line)
    if (last && delta) last['content'] = `${String(last['content'])}${String(delta['content'])}`
    else joined.push(line)
    // An empty line only ends an event.
    if (line !== '') last = last && delta ? last : delta
  }
  return joined
}

function textDeltaOf({ choices, usage }: Record<string, unknown>): Record<string, unknown> | undefined {
  const [choice, other]: unknown[] = Array.isArray(choices) ? choices : []
  if (!isRecord(choice) || other !== undefined || isRecord(usage)) return undefined
  const { index = 0, delta, finish_reason: reason, logprobs } = choice
  if (index !== 0 || typeof reason === 'string' || isRecord(logprobs) || !isRecord(delta)) return undefined
  const { content, role: _, ...more } = delta
  const isText = typeof content === 'string' && Object.values(more).every((value) => value === null)
  return isText ? delta : undefined
}

function mendDelta(
  delta: Record<string, unknown>,
  reader: ReturnType<typeof createTextReader>,
  ends: boolean,
): void {
  mendMessage(delta)
  const content = typeof delta['content'] === 'string' ? delta['content'] : ''
  if (content === '' && !ends) return
  const { thought, said } = ends ? reader.end(content) : reader.write(content)
  if (content !== '' || said !== '') delta['content'] = said
  if (thought !== '') delta['reasoning_content'] ??= thought
}

function errorOf(piece: Record<string, unknown>, status: number): Record<string, unknown> {
  const { error } = piece
  if (!isRecord(error))
    return { message: typeof error === 'string' ? error : 'no details given', code: status }
  const { message, type, code } = error
  const said = typeof message === 'string' ? message : 'no details given'
  return { message: said, type: [type, code].filter(Boolean).join(' '), code: status }
}
