import { createHash } from 'node:crypto'
import type { Step } from '../turns/steps.ts'

/** From here on the model is told that it repeats itself. */
export const toldAfter = 3
/** And here it is stopped. */
export const stoppedAfter = 6

const longestCycle = 4

/** The same for the same call with the same output, whatever the order of their fields. */
export function nameCall(name: string, input: unknown, output: unknown): string {
  const text = JSON.stringify([name, input, output], (_, part: unknown) =>
    part === null || typeof part !== 'object' || Array.isArray(part)
      ? part
      : Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))),
  )
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

/**
 * How often a call has come to the same end, this time included: in as many steps since files were last changed, or
 * time after time in a round of up to four steps, changes or not (an edit that is made and undone again).
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

// How often the steps at the end repeat themselves, whatever the length of their round.
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

/** How many answers in a row may be cut, or be empty, before the turn ends. */
export const mostInRow = 3

/** How many answers at the end were cut by their length. */
export function countCut(steps: readonly Step[]): number {
  return steps.length - 1 - steps.findLastIndex(({ response }) => response.finish !== 'length')
}

export const cutTooOften = `The answers of the model were cut off ${mostInRow} times in a row because they were too long: ask for less at once, or choose a model that may answer at greater length`
