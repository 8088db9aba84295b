import { z } from 'zod'

/** A whole number as JSON has it. */
export function wholeNumber(least: number, most: number, rule = ruleOf(least, most)): z.ZodNumber {
  return z.number({ error: rule }).int(rule).min(least, rule).max(most, rule)
}

/** A whole number as addresses have it, which are text. */
export function typedWholeNumber(
  least: number,
  most: number,
  rule = ruleOf(least, most),
): z.ZodCoercedNumber {
  return z.coerce.number({ error: rule }).int(rule).min(least, rule).max(most, rule)
}

/** The number that a text is, of digits alone and as it is written; undefined for anything else, and for what is over `most`. */
export function readWholeNumber(text: string | null | undefined, most = 999_999_999): number | undefined {
  if (!text || !/^(?:0|[1-9]\d{0,14})$/.test(text)) return undefined
  const value = Number(text)
  return value <= most ? value : undefined
}

function ruleOf(least: number, most: number): string {
  return `must be a whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}`
}
