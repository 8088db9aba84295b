import { AppError, messageOf } from '../lib/errors.ts'
import { StoreTrouble, sqlState } from './store-trouble.ts'

/**
 * Explains in one line why the database of DATABASE_URL cannot be used, naming only its host and database.
 * @returns the unchanged error when it is about something else
 */
export function explainConnection(address: string, error: unknown): unknown {
  if (!(error instanceof StoreTrouble) && sqlState(error) !== '42501') return error
  const cause = error instanceof StoreTrouble ? error.cause : error
  const { place, user, database } = partsOf(address)
  return new AppError(
    'unavailable',
    `The database of DATABASE_URL at ${place} ${reasonOf(cause, user, database)}`,
    { cause },
  )
}

function partsOf(address: string): { place: string; user: string; database: string } {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const host = url?.searchParams.get('host') ?? url?.hostname ?? ''
  const port = url?.searchParams.get('port') ?? (url?.port || '5432')
  return {
    place: host.startsWith('/') ? host : `${host || 'localhost'}:${port}`,
    user: url?.searchParams.get('user') ?? url?.username ?? '',
    database: url?.pathname.slice(1) ?? '',
  }
}

function reasonOf(cause: unknown, user: string, database: string): string {
  switch (sqlState(cause)) {
    case '28P01':
    case '28000':
      return `refuses the user ${JSON.stringify(user)}: ${lineOf(cause)}; correct the user or the password`
    case '3D000':
      return `has no database ${JSON.stringify(database)}; make it with "createdb", or name another`
    case '42501':
      return `does not allow the user ${JSON.stringify(user)} what is needed: ${lineOf(cause)}; make this user the owner of the database`
    case '57P01':
    case '57P02':
    case '57P03':
      return `is starting or stopping: ${lineOf(cause)}; try again in a moment`
    case '53300':
      return `has no connection left: ${lineOf(cause)}; raise max_connections, or run fewer processes`
    case undefined:
      return `cannot be reached: ${lineOf(cause)}; start it, or correct the address`
    default:
      return `cannot be used: ${lineOf(cause)}`
  }
}

// Errors of several addresses have no message of their own.
function lineOf(cause: unknown): string {
  const parts: unknown[] = cause instanceof AggregateError ? cause.errors : [cause]
  const lines = [...new Set(parts.map(messageOf))].join(', ').split('\n')
  return lines.map((line) => line.trim()).join(' ')
}
