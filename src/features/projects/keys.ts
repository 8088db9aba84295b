import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { newId, randomText, sha256 } from '../../lib/ids.ts'
import { json } from '../../store/database.ts'
import type { Reader, Tx } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

export type KeyKind = 'admin' | 'assistant'

/** A key as it may be shown again; the secret itself is not kept. */
export interface Key {
  id: string
  kind: KeyKind
  organizationId: string
  projectId: string | undefined
  name: string
  /** The last characters, to tell keys apart. */
  hint: string
  /** Web origins that may use an assistant key; empty: any. */
  origins: string[]
  createdAt: Date
  expiresAt: Date | undefined
  revokedAt: Date | undefined
  lastUsedAt: Date | undefined
}

export interface NewKey {
  kind: KeyKind
  organizationId: string
  projectId?: string | undefined
  name?: string | undefined
  origins?: string[] | undefined
  expiresAt?: Date | undefined
}

const prefixes: Record<KeyKind, string> = { admin: 'svc_', assistant: 'svc_dsc_' }
const secretLength = 43

/**
 * Makes a key. `secret` takes one that was provisioned; it is left as it is when the store has it already.
 * @returns the key and its secret, which can be read here and never again.
 */
export async function createKey(tx: Tx, key: NewKey, secret?: string): Promise<{ key: Key; secret: string }> {
  const value = secret ?? `${prefixes[key.kind]}${randomText(32)}`
  const row = await tx
    .insertInto('keys')
    .values({
      id: newId('key'),
      kind: key.kind,
      organization_id: key.organizationId,
      project_id: key.projectId ?? null,
      name: key.name ?? '',
      hash: sha256(value),
      hint: value.slice(-4),
      origins: json(key.origins ?? []),
      expires_at: key.expiresAt ?? null,
    })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ name: key.name ?? '' }))
    .returningAll()
    .executeTakeFirstOrThrow()
  return { key: keyOf(row), secret: value }
}

/** What a bearer token claims to be by its form, or undefined when no key looks like that. */
export function kindOfToken(token: string): KeyKind | undefined {
  // The longer prefix first: it begins like the other.
  for (const kind of ['assistant', 'admin'] as const) {
    const prefix = prefixes[kind]
    if (token.startsWith(prefix))
      return new RegExp(`^[0-9A-Za-z]{${secretLength},128}$`).test(token.slice(prefix.length))
        ? kind
        : undefined
  }
  return undefined
}

/** A key that works now: known, not revoked, not expired by the database's clock. Read anew each time. */
export async function findLiveKey(db: Reader, token: string): Promise<Key | undefined> {
  const row = await db
    .selectFrom('keys')
    .selectAll()
    .where('hash', '=', sha256(token))
    .where('revoked_at', 'is', null)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', sql<Date>`now()`)]))
    .executeTakeFirst()
  return row && keyOf(row)
}

/** Notes the use, at most once a minute: a write for every request would be one too many. */
export async function touchKey(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('keys')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where((is) =>
      is.or([
        is('last_used_at', 'is', null),
        is('last_used_at', '<', sql<Date>`now() - interval '1 minute'`),
      ]),
    )
    .execute()
}

export async function listKeys(
  db: Reader,
  by: { organizationId?: string; projectId?: string },
): Promise<Key[]> {
  let query = db.selectFrom('keys').selectAll().orderBy('created_at')
  if (by.organizationId !== undefined) query = query.where('organization_id', '=', by.organizationId)
  if (by.projectId !== undefined) query = query.where('project_id', '=', by.projectId)
  return (await query.execute()).map(keyOf)
}

/** Acts at once on every process. @returns the key, or undefined when there is none of that id. */
export async function revokeKey(tx: Tx, id: string): Promise<Key | undefined> {
  const row = await tx
    .updateTable('keys')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && keyOf(row)
}

function keyOf(row: Selectable<Tables['keys']>): Key {
  return {
    id: row.id,
    kind: row.kind,
    organizationId: row.organization_id,
    projectId: row.project_id ?? undefined,
    name: row.name,
    hint: row.hint,
    origins: row.origins,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
  }
}
