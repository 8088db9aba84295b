import { shortInput, shortOutput } from './shorten.ts'
import type { Step } from '../turns/steps.ts'

/** The instructions and the descriptions of the tools. */
const overhead = 8000
/** The newest steps are always told whole. */
const kept = 3
/** What is left after a compaction: it moves in large steps, so that a provider's cache of the beginning lasts. */
const share = 0.6
/** What steps told in short may take, and what is left of them when it is more. */
const mostShortened = 0.3
const leastShortened = 0.1
const longestBound = 200_000
const usualBound = 100_000

/** How many tokens a model is told at most; `context` is what it can read at once, where that is known. */
export function boundOf(context: number | undefined): number {
  return context === undefined ? usualBound : Math.min(longestBound, Math.round(context * 0.8))
}

export interface Compaction {
  /** How many of the oldest steps are told in short, the dropped ones included. */
  short: number
  /** How many of these are not told at all. */
  dropped: number
  /** The first step that was made after the last compaction: all that came before it is told as it was then. */
  since: number
}

/**
 * What of the steps is left out so that a conversation stays within `bound` tokens. The same journal gives the same
 * answer, and one step more mostly gives the same too. `told` are the tokens of what comes before the steps.
 */
export function compact(steps: readonly Step[], told: number, bound: number): Compaction {
  let short = 0
  let dropped = 0
  let since = 0
  let whole = overhead + told
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

/** Tokens of a text or of a value as JSON: about three bytes of it are one, other scripts included. */
export function estimateTokens(value: unknown): number {
  return Math.ceil(Buffer.byteLength(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')) / 3)
}

// A step does not change once its tools have run.
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
