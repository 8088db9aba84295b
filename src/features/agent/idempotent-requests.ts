import { sql } from 'kysely'
import { AppError } from '../../lib/errors.ts'
import { sha256 } from '../../lib/ids.ts'
import type { Reader, Tx } from '../../store/database.ts'

/** A request that its client may repeat without a second effect, for a day. */
export interface IdempotentRequest {
  projectId: string
  /** The operation and what it applies to: the same key may be reused for another one. */
  operation: string
  /** The key that the client chose. */
  key: string
  /** The whole body. The order of its fields does not matter. */
  body: unknown
}

/**
 * The earlier response to this request, or undefined for a new one.
 * @throws AppError `mismatch` when the key came with another body
 */
export async function findReply(reader: Reader, request: IdempotentRequest): Promise<string | undefined> {
  const row = await reader
    .selectFrom('idempotent_requests')
    .select(['request_hash', 'response'])
    .where('project_id', '=', request.projectId)
    .where('operation', '=', request.operation)
    .where('key', '=', request.key)
    .where('created_at', '>', dayAgo)
    .executeTakeFirst()
  if (row && row.request_hash !== hashOf(request.body))
    throw new AppError(
      'mismatch',
      'This Idempotency-Key was already used with a different request body. Resend the original body or use a new key',
    )
  return row?.response
}

/** Whether the key has a response, regardless of the body. */
export async function hasReply(
  reader: Reader,
  { projectId, operation, key }: Omit<IdempotentRequest, 'body'>,
): Promise<boolean> {
  const row = await reader
    .selectFrom('idempotent_requests')
    .select('key')
    .where('project_id', '=', projectId)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .where('created_at', '>', dayAgo)
    .executeTakeFirst()
  return row !== undefined
}

/** Locks the key until the transaction ends. @throws AppError `conflict` while another request holds it */
export async function holdKey(tx: Tx, { projectId, operation, key }: IdempotentRequest): Promise<void> {
  const name = JSON.stringify([projectId, operation, key])
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as held
  `.execute(tx)
  if (rows[0]?.held !== true)
    throw new AppError(
      'conflict',
      'A request with this Idempotency-Key is still in progress. Try again in a moment',
    )
}

/** Must be called in the transaction that performs the operation. */
export async function rememberReply(tx: Tx, request: IdempotentRequest, response: string): Promise<void> {
  const row = { request_hash: hashOf(request.body), response, created_at: sql<Date>`now()` }
  await tx
    .insertInto('idempotent_requests')
    .values({ project_id: request.projectId, operation: request.operation, key: request.key, ...row })
    // An expired response may not have been deleted yet.
    .onConflict((conflict) => conflict.columns(['project_id', 'operation', 'key']).doUpdateSet(row))
    .execute()
}

export async function deleteOldReplies(tx: Tx): Promise<void> {
  await tx.deleteFrom('idempotent_requests').where('created_at', '<=', dayAgo).execute()
}

const dayAgo = sql<Date>`now() - interval '24 hours'`

function hashOf(body: unknown): string {
  return sha256(JSON.stringify(body, sorted))
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
