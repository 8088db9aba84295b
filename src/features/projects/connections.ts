import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import { openSecret, sealSecret } from '../../lib/secret-box.ts'
import type { HostCredential } from '../../integrations/forges/host.ts'
import type { RecognisedRepository } from '../../integrations/forges/hosts.ts'
import type { Reader, Tx } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

/** Where a project's repository lives, and what opens it. */
export interface Connection {
  projectId: string
  repository: RecognisedRepository
  /** Path on the same site that branches are pushed to. */
  forkPath: string | undefined
  /** The project's own; undefined: the server's, if it has one for the site. */
  credential: HostCredential | undefined
  /** Who acts, as the host names them. */
  login: string | undefined
  webhookSecret: string
  webhook: 'none' | 'active'
  /** Grows with every change of what opens it. */
  revision: number
}

type Place = Pick<Connection, 'projectId' | 'repository' | 'forkPath' | 'credential' | 'login'>

const storedCredential = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('token'), token: z.string(), username: z.string().optional() }),
  z.object({ kind: z.literal('github_app'), appId: z.string(), privateKey: z.string() }),
])

/** Secrets are encrypted, for this project alone. A project that has a connection gets this one in its place. */
export async function saveConnection(tx: Tx, secretKey: Uint8Array, place: Place): Promise<void> {
  const { projectId, repository, credential } = place
  const values = {
    kind: repository.kind,
    site: repository.site,
    path: repository.path,
    fork_path: place.forkPath ?? null,
    credential:
      credential === undefined
        ? null
        : sealSecret(secretKey, `${projectId} host`, JSON.stringify(credential)),
    login: place.login ?? null,
    webhook_state: 'none' as const,
  }
  const secret = sealSecret(secretKey, `${projectId} webhook`, randomBytes(32).toString('hex'))
  await tx
    .insertInto('project_hosts')
    .values({ project_id: projectId, ...values, webhook_secret: secret })
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet({
        ...values,
        revision: sql<number>`project_hosts.revision + 1`,
        // People may have written it down at the host.
        webhook_secret: sql<string>`coalesce(nullif(project_hosts.webhook_secret, ''), excluded.webhook_secret)`,
      }),
    )
    .execute()
}

/** Undefined for repositories on this server. @throws AppError `unavailable` when the secrets cannot be read */
export async function findConnection(
  reader: Reader,
  secretKey: Uint8Array,
  projectId: string,
): Promise<Connection | undefined> {
  const row = await reader
    .selectFrom('project_hosts')
    .selectAll()
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return row && connectionOf(row, secretKey)
}

export async function markWebhook(
  tx: Tx,
  { projectId, revision }: Connection,
  state: Connection['webhook'],
): Promise<void> {
  await tx
    .updateTable('project_hosts')
    .set({ webhook_state: state })
    .where('project_id', '=', projectId)
    .where('revision', '=', revision)
    .execute()
}

function connectionOf(row: Selectable<Tables['project_hosts']>, secretKey: Uint8Array): Connection {
  const { project_id: projectId, kind, site, path, credential, webhook_secret: secret } = row
  return {
    projectId,
    repository: { kind, site, path },
    forkPath: row.fork_path ?? undefined,
    credential:
      credential === null
        ? undefined
        : storedCredential.parse(JSON.parse(openSecret(secretKey, `${projectId} host`, credential))),
    login: row.login ?? undefined,
    webhookSecret: secret === '' ? '' : openSecret(secretKey, `${projectId} webhook`, secret),
    webhook: row.webhook_state,
    revision: row.revision,
  }
}
