import { z } from 'zod'

/** The API’s description has no `exclusiveMinimum`, which tools read in two ways. */
export const smallestAmount = 0.000001

/** A number over 0 that is not over `most`. */
export function amountUpTo(most: number): z.ZodNumber {
  // Written when it is needed, as that of whole-number.ts.
  const error = (): string => `must be over 0 and at most ${most.toLocaleString('en')}`
  return z.number({ error }).min(smallestAmount, { error }).max(most, { error })
}

/** A number as it was typed; what is none stays text, which the rule of its field refuses. */
export function numberOrText(text: string): number | string {
  const value = Number(text)
  return text.trim() === '' || !Number.isFinite(value) ? text : value
}
