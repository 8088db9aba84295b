import { messageOf } from '../../lib/errors.ts'

/** Whether another model may do better: the provider is away, overloaded, hanging or out of quota. */
export function isOutage(error: unknown): boolean {
  return error instanceof Error && 'isRetryable' in error && error.isRetryable === true
}

/** A provider's failure for people, without secrets: what happened, and what to set or change. */
export function describeTrouble(error: unknown, name: string): string {
  return `The model ${name} failed: ${messageOf(error).slice(0, 500)}`
}
