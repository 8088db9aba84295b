import type { Step } from './steps.ts'

/** How many answers in a row may be cut, or be empty, before the turn ends. */
export const mostInRow = 3

/** How many answers at the end were cut by their length. */
export function countCut(steps: readonly Step[]): number {
  return steps.length - 1 - steps.findLastIndex(({ response }) => response.finish !== 'length')
}

export const cutTooOften = `The answers of the model were cut off ${mostInRow} times in a row because they were too long: ask for less at once, or choose a model that may answer at greater length`
