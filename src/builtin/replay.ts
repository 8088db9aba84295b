import { createHash } from 'node:crypto'
import type { AnsweredCall, ToolOutput, Transcript } from './transcript.ts'

export interface PlannedCall {
  tool: string
  input: Record<string, unknown>
}

/** A piece of work: yields tool calls that may run in parallel and receives their outputs in the same order. */
export type Plan<Result> = Generator<PlannedCall[], Result, ToolOutput[]>

export type Progress<Result> =
  | { done: false; calls: { id: string; call: PlannedCall }[] }
  | { done: true; result: Result }

/** Far above what any request needs; a plan that comes here is cut off, never repeated for ever. */
const mostRounds = 5000

/**
 * Runs a plan from its start over what the transcript already answers and returns the calls that are still
 * open. Nothing is kept between model calls, so a job can be resumed by any process.
 */
export function replay<Result>(
  plan: Plan<Result>,
  transcript: Transcript,
  tooLong: Result,
): Progress<Result> {
  const answered = answersOf(transcript)
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
      const output = answered.take(id, key)
      if (output) outputs.push(output)
      else open.push({ id, call })
    }
    if (open.length > 0) return { done: false, calls: open }
    step = plan.next(outputs)
  }
  return { done: true, result: tooLong }
}

const ownId = /^call_[0-9a-f]{20}$/

/** By id where the loop kept it, else by the call itself, so that a transcript from elsewhere is still of use. */
function answersOf(transcript: Transcript) {
  const byId = new Map<string, AnsweredCall>()
  for (const call of transcript.calls) if (call.output) byId.set(call.id, call)
  const used = new Set<AnsweredCall>()
  // Made when it is needed, which it is not in a transcript of our own.
  let byKey: Map<string, AnsweredCall[]> | undefined
  const keyed = (key: string) => {
    byKey ??= Map.groupBy(
      transcript.calls.filter((call) => call.output && !ownId.test(call.id)),
      (call) => keyOf(call.tool, call.input),
    )
    return byKey.get(key)?.find((call) => !used.has(call))
  }
  return {
    take: (id: string, key: string): ToolOutput | undefined => {
      const found = byId.get(id) ?? keyed(key)
      if (!found || used.has(found)) return undefined
      used.add(found)
      return found.output
    },
  }
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
