import { shortInput, shortOutput } from './shorten.ts'
import type { Step } from '../turns/steps.ts'

/** Tokens for the instructions and the descriptions of the tools, where they are not counted. */
export const usualOverhead = 8000
/** The number of newest steps that are always included in full. */
const kept = 3
/**
 * The share of the bound that is left after a compaction. Compacting in large steps keeps the provider's cache of
 * the beginning valid.
 */
const share = 0.6
/** The most that shortened steps may take of the bound, and what is left of them once they exceed it. */
const mostShortened = 0.3
const leastShortened = 0.1
const longestBound = 200_000
const usualBound = 100_000

/** The most tokens of a conversation in a model's window, where that is known. The rest is for the answer. */
export function tokenBoundOf(window: number | undefined): number {
  return window === undefined ? usualBound : Math.min(longestBound, Math.round(window * 0.8))
}

export interface Compaction {
  /** How many of the oldest steps are shortened, including the dropped ones. */
  short: number
  /** How many of these are left out entirely. */
  dropped: number
  /**
   * The first step after the last compaction. Everything before it is sent in the form that the compaction gave it.
   */
  since: number
}

/**
 * Decides which steps are shortened or dropped so that a conversation stays within `bound` tokens. The result
 * depends on the journal alone, and mostly stays the same when a step is added. `tokensBefore` is the number of tokens
 * before the steps, those of instructions and tools included.
 */
export function compact(steps: readonly Step[], tokensBefore: number, bound: number): Compaction {
  let short = 0
  let dropped = 0
  let since = 0
  let whole = tokensBefore
  let shortened = 0
  for (const [index, step] of steps.entries()) {
    whole += sizeOf(step).whole
    if (whole + shortened <= bound) continue
    const before = short
    for (; whole + shortened > bound * share && short <= index - kept; short++) {
      const size = sizeAt(steps, short)
      whole -= size.whole
      shortened += size.short
    }
    if (short > before) since = index + 1
    if (shortened <= bound * mostShortened) continue
    for (; shortened > bound * leastShortened; dropped++) {
      shortened -= sizeAt(steps, dropped).short
      since = index + 1
    }
  }
  return { short, dropped, since }
}

/** Estimates the tokens of a text or of a value as JSON: one for three bytes, which also suits other scripts. */
export function estimateTokens(value: unknown): number {
  return Math.ceil(Buffer.byteLength(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')) / 3)
}

// A cache: a step does not change once its tools have run.
const sizes = new WeakMap<Step, { whole: number; short: number }>()

function sizeOf(step: Step): { whole: number; short: number } {
  const known = sizes.get(step)
  if (known) return known
  const { response, results } = step
  const outputs = results?.outputs ?? []
  const inputs = new Map(response.calls.map((call) => [call.id, call.input]))
  const whole = estimateTokens(response.messages) + estimateTokens(outputs)
  const spared =
    sum(response.calls, ({ input }) => estimateTokens(input) - estimateTokens(shortInput(input))) +
    sum(
      outputs,
      ({ id, name, output }) =>
        estimateTokens(output) - estimateTokens(shortOutput(name, inputs.get(id), output)),
    )
  const size = { whole, short: whole - spared }
  if (results) sizes.set(step, size)
  return size
}

function sizeAt(steps: readonly Step[], index: number): { whole: number; short: number } {
  const step = steps[index]
  return step ? sizeOf(step) : { whole: 0, short: 0 }
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}
