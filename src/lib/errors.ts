/** The closed set of things that can go wrong. Each surface (HTTP, CLI) maps a code to its own form once. */
export type ErrorCode =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'mismatch'
  | 'too_large'
  | 'unsupported'
  | 'rate_limited'
  | 'unavailable'
  | 'not_implemented'
  | 'internal'

/**
 * An error whose message is written for the person who reads it: what is wrong and what to do.
 * Everything else that is thrown is a defect and shown to clients as a plain "internal".
 */
export class AppError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'AppError'
    this.code = code
  }
}

/** The message of anything thrown, for logs and for wrapping. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** What to show in place of what it stopped. @throws whatever is not written for people */
export function asProblem(error: unknown): AppError {
  if (error instanceof AppError) return error
  throw error
}
