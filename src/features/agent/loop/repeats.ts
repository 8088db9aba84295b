import { createHash } from 'node:crypto'
import type { Step } from '../turns/steps.ts'

/** From this many repeats on, the model is told that it repeats itself. */
export const warnAfterRepeats = 3
/** At this many repeats the turn is stopped. */
export const stopAfterRepeats = 6

const longestCycle = 4

/** A key that is equal for equal calls with equal outputs, regardless of the order of fields. */
export function callKey(name: string, input: unknown, output: unknown): string {
  const text = JSON.stringify([name, input, output], (_, part: unknown) =>
    part === null || typeof part !== 'object' || Array.isArray(part)
      ? part
      : Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))),
  )
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

/**
 * How often a call has had the same output, including now: in all steps since files were last changed, or in
 * repeated cycles of up to four steps, even with changes (an edit that is made and undone again).
 */
export function countRepeats(earlier: readonly Step[], now: readonly string[]): Map<string, number> {
  const rounds = countRounds([...earlier.map(namesOf), now].map((names) => names.join()))
  const counts = new Map(now.map((name) => [name, rounds]))
  const since = earlier.slice(earlier.findLastIndex((step) => step.results?.changed === true) + 1)
  for (const [name, most] of counts) {
    const count = since.filter((step) => namesOf(step).includes(name)).length + 1
    counts.set(name, Math.max(most, count))
  }
  return counts
}

// How often the last steps repeat themselves, as a cycle of any length up to the limit.
function countRounds(steps: readonly string[]): number {
  let most = 1
  for (let length = 1; length <= longestCycle; length++) {
    let same = 0
    for (let at = steps.length - 1; at >= length && steps[at] === steps[at - length]; at--) same++
    most = Math.max(most, Math.floor(same / length) + 1)
  }
  return most
}

function namesOf({ results }: Step): string[] {
  return (results?.outputs ?? []).flatMap(({ same }) => same ?? [])
}

/** How many answers in a row may be cut off or empty before the turn ends. */
export const mostInRow = 3

/** How many of the last answers in a row were cut off by the length limit. */
export function countCut(steps: readonly Step[]): number {
  return steps.length - 1 - steps.findLastIndex(({ response }) => response.finish !== 'length')
}

export const cutTooOften = `The answers of the model were cut off ${mostInRow} times in a row because they were too long: ask for less at once, or choose a model that may answer at greater length`
