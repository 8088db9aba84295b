import { messageOf } from '../../lib/errors.ts'

/** Whether another model may do better: the provider is away, overloaded, hanging or out of quota. */
export function isOutage(error: unknown): boolean {
  return error instanceof Error && 'isRetryable' in error && error.isRetryable === true
}

/** A provider's failure for people, without secrets: what happened, and what to set or change. */
export function describeTrouble(error: unknown, name: string): string {
  return `The model ${name} failed: ${messageOf(error).slice(0, 500)}`
}

/** Whether a provider refused a call because it was told too much at once. */
export function isContextOverflow(error: unknown): boolean {
  return /context.{0,20}(length|window)|prompt is too long|too many tokens/i.test(messageOf(error).slice(0, 2000))
}
