import { shortInput, shortOutput } from './shorten.ts'
import type { Step } from './steps.ts'

/** The instructions and the descriptions of the tools. */
const overhead = 8000
/** The newest steps are always told whole. */
const kept = 3
/** What is left after a compaction: it moves in large steps, so that a provider's cache of the beginning lasts. */
const share = 0.6
const longestBound = 200_000
const usualBound = 100_000

/** How many tokens a model is told at most; `context` is what it takes in and gives out together, where that is known. */
export function boundOf(context: number | undefined): number {
  return context === undefined ? usualBound : Math.min(longestBound, Math.round(context * 0.8))
}

/**
 * How many of the oldest steps are told in short. The same journal gives the same answer, and one step more mostly
 * gives the same too. `told` are the tokens of what comes before the steps.
 */
export function compactedSteps(steps: readonly Step[], told: number, bound: number): number {
  let compacted = 0
  let total = overhead + told
  for (const [index, step] of steps.entries()) {
    total += sizeOf(step).whole
    if (total <= bound) continue
    while (total > bound * share && compacted <= index - kept) {
      const oldest = steps[compacted]
      if (oldest === undefined) break
      const size = sizeOf(oldest)
      total -= size.whole - size.short
      compacted++
    }
  }
  return compacted
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

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}
