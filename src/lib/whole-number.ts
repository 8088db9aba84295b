import { z } from 'zod'

/** A whole number as JSON has it. */
export function wholeNumber(least: number, most: number, rule?: string): z.ZodNumber {
  const error = ruleOf(least, most, rule)
  return z.number({ error }).int({ error }).min(least, { error }).max(most, { error })
}

/** A whole number as addresses have it, which are text. */
export function typedWholeNumber(least: number, most: number, rule?: string): z.ZodCoercedNumber {
  const error = ruleOf(least, most, rule)
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error })
}

/** The number that a text is, of digits alone and as it is written; undefined for anything else, and for what is over `most`. */
export function readWholeNumber(text: string | null | undefined, most = 999_999_999): number | undefined {
  if (!text || !/^(?:0|[1-9]\d{0,14})$/.test(text)) return undefined
  const value = Number(text)
  return value <= most ? value : undefined
}

// Written when it is needed: to write the first number as people read it costs a tenth of what a command costs.
function ruleOf(least: number, most: number, rule: string | undefined): () => string {
  return () =>
    rule ?? `must be a whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}`
}
