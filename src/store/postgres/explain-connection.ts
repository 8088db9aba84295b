import { AppError, messageOf } from '../../lib/errors.ts'
import { StoreTrouble, sqlState } from '../store-trouble.ts'
import { readPostgresAddress, type PostgresAddress } from './address.ts'

/**
 * Explains in one line why the database of DATABASE_URL cannot be used, naming only its host and database.
 * @returns the unchanged error when it is about something else
 */
export function explainConnection(address: string, error: unknown): unknown {
  if (!(error instanceof StoreTrouble) && sqlState(error) !== '42501') return error
  const cause = error instanceof StoreTrouble ? error.cause : error
  // A file that the address names.
  if (cause instanceof AppError) return cause
  const read = readPostgresAddress(address)
  return new AppError(
    'unavailable',
    `The database of DATABASE_URL at ${placeOf(read)} ${reasonOf(cause, read)}`,
    {
      cause,
    },
  )
}

function placeOf({ hosts }: PostgresAddress): string {
  return hosts
    .map(({ host = 'localhost', port = 5432 }) => (host.startsWith('/') ? host : `${host}:${port}`))
    .join(' or ')
}

function reasonOf(cause: unknown, address: PostgresAddress): string {
  const line = lineOf(cause)
  const user = JSON.stringify(address.user ?? '')
  const database = JSON.stringify(address.database ?? address.user ?? '')
  switch (sqlState(cause)) {
    case '28P01':
      return `refuses the user ${user}: ${line}; correct the user or the password`
    case '28000':
      return `refuses the user ${user}: ${line}; ${adviceOnRefusal(line)}`
    case '3D000':
      return `has no database ${database}; make it with "createdb", or name another`
    case '42501':
      return `does not allow the user ${user} what is needed: ${line}; make this user the owner of the database`
    case '57P01':
    case '57P02':
    case '57P03':
      return `is starting or stopping: ${line}; try again in a moment`
    case '53300':
      return `has no connection left: ${line}; raise max_connections or the CONNECTION LIMIT of user and database, or run fewer processes`
    case '25006':
      return `cannot be used: ${line}; name the primary, or several hosts, of which the one that takes writes is used`
    case undefined:
      return adviceOnTls(line, cause) ?? `cannot be reached: ${line}; start it, or correct the address`
    default:
      return `cannot be used: ${line}`
  }
}

function adviceOnRefusal(line: string): string {
  if (/valid client certificate|certificate authentication failed/i.test(line))
    return 'name a certificate of this user and its key with sslcert and sslkey in DATABASE_URL'
  if (/pg_hba\.conf/.test(line))
    return /no encryption|SSL off/.test(line)
      ? 'add a line for this user and this machine to pg_hba.conf, or write sslmode=require if only TLS is allowed there'
      : 'add a line for this user, this database and this machine to pg_hba.conf'
  return 'correct the user or the password'
}

function adviceOnTls(line: string, cause: unknown): string | undefined {
  if (line.includes('does not support SSL'))
    return `offers no TLS, which the sslmode of DATABASE_URL asks for; switch on "ssl" in postgresql.conf or in the pooler, or write sslmode=disable`
  const code = codesOf(cause)
  if (code.includes('ERR_TLS_CERT_ALTNAME_INVALID'))
    return `shows a certificate of another host: ${line}; use a name of the certificate in DATABASE_URL, or write sslmode=verify-ca`
  if (/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/.test(code))
    return `shows a certificate that is not valid now: ${line}; renew it, or set the clock`
  if (/CERT|UNABLE_TO_|SELF_SIGNED/.test(code) && !/ALERT/.test(code))
    return `shows a certificate that is not trusted: ${line}; name the file of its authority with sslrootcert in DATABASE_URL or PGSSLROOTCERT, or write sslmode=require to do without the check`
  if (/ALERT/.test(code))
    return `refuses TLS with this client: ${line}; look at the certificate that sslcert names, and at the server's log`
  if (/^ERR_(SSL|OSSL)|_PEM_|KEY_VALUES_MISMATCH/.test(code))
    return `cannot be reached with TLS: ${line}; look at the files that sslcert, sslkey and sslrootcert name`
  return undefined
}

function codesOf(cause: unknown): string {
  return partsOf(cause)
    .map((part) => (typeof part === 'object' && part !== null ? String(Reflect.get(part, 'code')) : ''))
    .join(' ')
}

// Errors of several addresses have no message of their own.
function lineOf(cause: unknown): string {
  const lines = [...new Set(partsOf(cause).map(messageOf))].join(', ').split('\n')
  return lines.map((line) => line.trim()).join(' ')
}

function partsOf(cause: unknown): unknown[] {
  return cause instanceof AggregateError ? cause.errors.flatMap(partsOf) : [cause]
}
