import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely'
import { sha256 } from '../../lib/ids.ts'
import type { Reader, Tx } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { projectOf, type Project } from './projects.ts'
import type { scopesOfKind } from './roles.ts'

export type KeyKind = keyof typeof scopesOfKind

/** What the secrets of each kind begin with. */
export const keyPrefixes: Record<KeyKind, string> = { admin: 'svc_', assistant: 'svc_dsc_' }
const secretForm = /^[0-9A-Za-z]{43,128}$/

/** The fields of a key that every request needs. */
export type UsedKey = {
  id: string
  kind: KeyKind
  organizationId: string
  projectId: string | undefined
  /** Web origins that may use an assistant key; empty: all origins. */
  origins: string[]
  /** What it may do, of `scopesOfKind`; empty: everything that its kind may, apart from administration. */
  scopes: string[]
  /** Addresses and CIDR ranges that it may be used from; empty: all addresses. */
  addresses: string[]
  expiresAt: Date | undefined
  lastUsedAt: Date | undefined
  name?: string
  /** Whether a page of another site has asked with it. */
  askedOnSite: boolean
}

/**
 * Finds a valid key, and the project of that id or domain whatever its organization. It is one statement, because
 * every request begins with it, and never cached, so that revoking a key takes effect at once for all processes.
 */
export async function findWithKey(
  db: Reader,
  token: string,
  by: 'id' | 'domain',
  name: string,
): Promise<{ key: UsedKey; project: Project | undefined } | undefined> {
  const row = await db
    .selectFrom('keys')
    .leftJoin('projects', (join) => join.on(`projects.${by}`, '=', name))
    .selectAll('projects')
    .select([
      'keys.id as key_id',
      'keys.kind as key_kind',
      'keys.name as key_name',
      'keys.organization_id as key_organization_id',
      'keys.project_id',
      'keys.origins',
      'keys.scopes',
      'keys.expires_at',
      'keys.addresses',
      'keys.last_used_at',
      'keys.asked_on_site_at',
    ])
    .where(isLive(token))
    .executeTakeFirst()
  if (!row) return undefined
  const key = {
    id: row.key_id,
    kind: row.key_kind,
    name: row.key_name,
    organizationId: row.key_organization_id,
    projectId: row.project_id ?? undefined,
    origins: row.origins,
    scopes: row.scopes,
    addresses: row.addresses,
    lastUsedAt: row.last_used_at ?? undefined,
    expiresAt: row.expires_at ?? undefined,
    askedOnSite: row.asked_on_site_at !== null,
  }
  return { key, project: hasProject(row) ? projectOf(row) : undefined }
}

function hasProject<Row extends { id: string | null }>(
  row: Row,
): row is Row & Selectable<Tables['projects']> {
  return row.id !== null
}

/** The kind of key that a bearer token looks like; undefined when it looks like none. */
export function kindOfToken(token: string): KeyKind | undefined {
  // The longer prefix is tested first, because it begins with the other one.
  for (const kind of ['assistant', 'admin'] as const) {
    const prefix = keyPrefixes[kind]
    if (token.startsWith(prefix)) return secretForm.test(token.slice(prefix.length)) ? kind : undefined
  }
  return undefined
}

/** Whether a row of `keys` is this key and is valid now: neither revoked, nor expired by the database's clock. */
function isLive(token: string): RawBuilder<SqlBool> {
  return sql`keys.hash = ${sha256(token)} and keys.revoked_at is null and (keys.expires_at is null or keys.expires_at > now())`
}

/** Records the use of a key, at most once a minute, so that not every request causes a write. */
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

/** Records that a page of another site has asked with a key. */
export async function noteSite(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('keys')
    .set({ asked_on_site_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('asked_on_site_at', 'is', null)
    .execute()
}
