import { LimitError } from '../features/projects/limits.ts'
import { AppError, type ErrorCode } from '../lib/errors.ts'
import { MachineTrouble, machineTrouble } from '../lib/machine-trouble.ts'
import { findStoreTrouble } from '../store/store-trouble.ts'

const statuses = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  mismatch: 422,
  too_large: 413,
  unsupported: 415,
  rate_limited: 429,
  unavailable: 503,
  internal: 500,
  not_implemented: 501,
} as const satisfies Record<ErrorCode, number>

/** The response for an error. Its body is always `{error}`; further details are in headers. */
export function errorResponse(error: AppError): Response {
  const headers = new Headers({ 'X-Error-Code': error.code })
  if (error.code === 'unauthorized') headers.set('WWW-Authenticate', 'Bearer')
  if (error.code === 'unavailable') headers.set('Retry-After', '5')
  if (error instanceof LimitError) {
    const { limit, retryAfter } = error
    headers.set('Retry-After', String(retryAfter))
    headers.set('RateLimit', `"${limit.name}";r=0;t=${retryAfter}`)
    const per = 'unit' in limit ? `qu="${limit.unit}"` : `w=${limit.seconds}`
    headers.set('RateLimit-Policy', `"${limit.name}";q=${limit.count};${per}`)
  }
  return Response.json({ error: error.message }, { status: statuses[error.code], headers })
}

/** The error for something in a project that a path or a body names and that does not exist. */
export function notFound(what: string, name: string, place = 'project'): AppError {
  return new AppError(
    'not_found',
    `No ${what} ${JSON.stringify(name.slice(0, 100))} in this ${place}. Check the ID`,
  )
}

/** Turns anything thrown into an error that clients may see; `cause` keeps the rest for the log. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError && thrown.code !== 'internal') return thrown
  const trouble = findStoreTrouble(thrown)
  if (trouble) return trouble
  const ofMachine = machineTrouble(thrown)
  if (ofMachine) return new MachineTrouble(ofMachine, { cause: thrown })
  if (thrown instanceof AppError) return thrown
  return new AppError('internal', 'Internal error. Search the server log for this request ID', {
    cause: thrown,
  })
}
