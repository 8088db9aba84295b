import { createHash } from 'node:crypto'
import type { LanguageModelV4ToolCall } from '@ai-sdk/provider'
import type { ToolOutput, Transcript } from './transcript.ts'

export interface PlannedCall {
  tool: string
  input: Record<string, unknown>
}

/** A plan: yields tool calls that may run in parallel, and receives their outputs in the same order. */
export type Plan<Result> = Generator<PlannedCall[], Result, ToolOutput[]>

export type Progress<Result> =
  | { done: false; calls: { id: string; call: PlannedCall }[] }
  | { done: true; result: Result }

/** Far more than any request needs: a plan that reaches it is stopped, so that none runs for ever. */
const mostRounds = 5000

/**
 * Runs a plan from its start with the outputs that the transcript already has, and returns the calls that still
 * need one. Nothing is kept between model calls, so any process can resume a job.
 */
export function replay<Result>(
  plan: Plan<Result>,
  transcript: Transcript,
  tooLong: Result,
): Progress<Result> {
  const answered = new Map(transcript.calls.map((call) => [call.id, call.output]))
  const turn = `${transcript.asked.length}\n${transcript.asked.at(-1) ?? ''}`
  const seen = new Map<string, number>()
  let step = plan.next()
  for (let round = 0; round < mostRounds; round++) {
    if (step.done === true) return { done: true, result: step.value }
    const outputs: ToolOutput[] = []
    const open: { id: string; call: PlannedCall }[] = []
    for (const call of step.value) {
      const key = keyOf(call.tool, call.input)
      const count = seen.get(key) ?? 0
      seen.set(key, count + 1)
      const id = `call_${hash(`${turn}\n${count}\n${key}`)}`
      const output = answered.get(id)
      if (output) outputs.push(output)
      else open.push({ id, call })
    }
    if (open.length > 0) return { done: false, calls: open }
    step = plan.next(outputs)
  }
  return { done: true, result: tooLong }
}

/** The calls of a plan in the form of a model's tool calls. */
export function toolCalls(calls: readonly { id: string; call: PlannedCall }[]): LanguageModelV4ToolCall[] {
  return calls.map(({ id, call }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: call.tool,
    input: JSON.stringify(call.input),
  }))
}

function keyOf(tool: string, input: unknown): string {
  return `${tool} ${stable(input)}`
}

/** JSON with sorted keys: an input that went through a database may come back in another order. */
function stable(value: unknown, depth = 0): string {
  if (depth > 8 || typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map((item) => stable(item, depth + 1)).join(',')}]`
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  const sorted = fields.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([name, field]) => `${JSON.stringify(name)}:${stable(field, depth + 1)}`).join(',')}}`
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 20)
}
