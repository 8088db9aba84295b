import { z } from 'zod'

/** The `limit` of a list's query. */
export function limitUpTo(most: number, usual: number) {
  const rule = `must be a whole number from 1 to ${most}`
  return z.coerce.number({ error: rule }).int(rule).min(1, rule).max(most, rule).default(usual)
}
