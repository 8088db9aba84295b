import { randomBytes } from 'node:crypto'
import { sql, type Selectable } from 'kysely'
import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import { openSecret, sealSecret, type SecretKey } from '../../lib/secret-box.ts'
import type { HostCredential } from '../../integrations/forges/host.ts'
import type { RecognisedRepository } from '../../integrations/forges/hosts.ts'
import type { Reader, Tx } from '../../store/database.ts'
import type { KeptSecret } from '../../store/kept-secret.ts'
import type { Tables } from '../../store/tables.ts'

/** Where a project's repository is, and the credential for it. */
export interface Connection {
  projectId: string
  repository: RecognisedRepository
  /** Path on the same site that branches are pushed to. */
  forkPath: string | undefined
  /** The project's own; when undefined, the server's is used if it has one for the site. */
  credential: HostCredential | undefined
  /** The account of the credential, as the host names it. */
  login: string | undefined
  webhookSecret: string
  webhook: 'none' | 'active'
  /** Incremented with every change of the connection. */
  revision: number
}

type NewConnection = Pick<Connection, 'projectId' | 'repository' | 'forkPath' | 'credential' | 'login'>

/** What is known of a connection without the key that its secrets are encrypted with. */
export interface SealedConnection extends Pick<Connection, 'repository' | 'forkPath' | 'login' | 'webhook'> {
  /** Whether the project has a credential of its own. */
  hasCredential: boolean
}

type Row = Selectable<Tables['project_hosts']>

const storedCredential = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('token'), token: z.string(), username: z.string().optional() }),
  z.object({ kind: z.literal('github_app'), appId: z.string(), privateKey: z.string() }),
])

/**
 * Saves the connection of a project, replacing an earlier one. Secrets are encrypted so that they can only be
 * decrypted for this project.
 */
export async function saveConnection(tx: Tx, secretKey: SecretKey, connection: NewConnection): Promise<void> {
  const { projectId, repository, credential } = connection
  const present = await findRow(tx, projectId)
  const values = {
    kind: repository.kind,
    site: repository.site,
    path: repository.path,
    fork_path: connection.forkPath ?? null,
    credential:
      credential === undefined
        ? null
        : sealSecret(secretKey, credentialOwner(projectId), JSON.stringify(credential)),
    login: connection.login ?? null,
    webhook_state: 'none' as const,
  }
  // People may have entered this secret at the host by hand, so it is kept. Another site must not learn it.
  const kept = present?.site === repository.site ? readableSecret(secretKey, present) : undefined
  const secret = kept ?? newWebhookSecret(secretKey, projectId)
  await tx
    .insertInto('project_hosts')
    .values({ project_id: projectId, ...values, webhook_secret: secret })
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet({
        ...values,
        revision: sql<number>`project_hosts.revision + 1`,
        webhook_secret: secret,
      }),
    )
    .execute()
}

/**
 * Adds the kind and the webhook secret to a connection from a version that had neither. Does nothing when it has a
 * secret.
 */
export async function completeConnection(
  tx: Tx,
  secretKey: SecretKey,
  { projectId, repository }: Pick<Connection, 'projectId' | 'repository'>,
): Promise<void> {
  await tx
    .updateTable('project_hosts')
    .set({
      ...repository,
      webhook_secret: newWebhookSecret(secretKey, projectId),
      revision: sql<number>`revision + 1`,
    })
    .where('project_id', '=', projectId)
    .where('webhook_secret', '=', '')
    .execute()
}

/** Undefined for repositories on this server. @throws AppError `unavailable` when the secrets cannot be read */
export async function findConnection(
  reader: Reader,
  secretKey: SecretKey,
  projectId: string,
): Promise<Connection | undefined> {
  const row = await findRow(reader, projectId)
  return row && connectionOf(row, secretKey)
}

/**
 * Like `findConnection`, for a connection that is being replaced: secrets that can no longer be decrypted are left
 * out.
 */
export async function findReplaceable(
  reader: Reader,
  secretKey: SecretKey,
  projectId: string,
): Promise<Connection | undefined> {
  const row = await findRow(reader, projectId)
  if (!row) return undefined
  try {
    return connectionOf(row, secretKey)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return connectionOf({ ...row, credential: null, webhook_secret: '' }, secretKey)
  }
}

/** Undefined for repositories on this server. */
export async function findSealedConnection(
  reader: Reader,
  projectId: string,
): Promise<SealedConnection | undefined> {
  const row = await findRow(reader, projectId)
  return (
    row && {
      repository: { kind: row.kind, site: row.site, path: row.path },
      forkPath: row.fork_path ?? undefined,
      login: row.login ?? undefined,
      webhook: row.webhook_state,
      hasCredential: row.credential !== null,
    }
  )
}

/**
 * Deletes a project's own credential, even if it can no longer be decrypted or nothing else gives access to the
 * repository.
 */
export async function dropCredential(tx: Tx, projectId: string): Promise<void> {
  await tx
    .updateTable('project_hosts')
    .set({ credential: null, login: null, revision: sql<number>`revision + 1` })
    .where('project_id', '=', projectId)
    .execute()
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

function newWebhookSecret(secretKey: SecretKey, projectId: string): string {
  return sealSecret(secretKey, webhookOwner(projectId), randomBytes(32).toString('hex'))
}

/** All secrets of all connections. */
export async function listSealedSecrets(reader: Reader): Promise<KeptSecret[]> {
  const rows = await reader
    .selectFrom('project_hosts')
    .innerJoin('projects', 'projects.id', 'project_hosts.project_id')
    .select(['project_id', 'domain', 'credential', 'webhook_secret'])
    .orderBy('domain')
    .execute()
  return rows.flatMap(({ project_id: id, domain, credential, webhook_secret: secret }) => {
    const kept = (column: 'credential' | 'webhook_secret', sealed: string) => ({
      sealed,
      async replace(tx: Tx, next: string): Promise<boolean> {
        const { numUpdatedRows } = await tx
          .updateTable('project_hosts')
          .set({ [column]: next })
          .where('project_id', '=', id)
          .where(column, '=', sealed)
          .executeTakeFirst()
        return numUpdatedRows > 0n
      },
    })
    return [
      ...(credential === null
        ? []
        : [
            {
              name: `credential of ${domain}`,
              owner: credentialOwner(id),
              ...kept('credential', credential),
            },
          ]),
      ...(secret === ''
        ? []
        : [
            { name: `host webhook of ${domain}`, owner: webhookOwner(id), ...kept('webhook_secret', secret) },
          ]),
    ]
  })
}

function credentialOwner(projectId: string): string {
  return `${projectId} host`
}

function webhookOwner(projectId: string): string {
  return `${projectId} webhook`
}

function findRow(reader: Reader, projectId: string): Promise<Row | undefined> {
  return reader.selectFrom('project_hosts').selectAll().where('project_id', '=', projectId).executeTakeFirst()
}

// Undefined for a secret whose encryption key is gone.
function readableSecret(key: SecretKey, row: Row | undefined): string | undefined {
  if (!row?.webhook_secret) return undefined
  try {
    openSecret(key, webhookOwner(row.project_id), row.webhook_secret)
    return row.webhook_secret
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

function connectionOf(row: Row, secretKey: SecretKey): Connection {
  const { project_id: projectId, kind, site, path, credential, webhook_secret: secret } = row
  return {
    projectId,
    repository: { kind, site, path },
    forkPath: row.fork_path ?? undefined,
    credential:
      credential === null
        ? undefined
        : storedCredential.parse(JSON.parse(openSecret(secretKey, credentialOwner(projectId), credential))),
    login: row.login ?? undefined,
    webhookSecret: secret === '' ? '' : openSecret(secretKey, webhookOwner(projectId), secret),
    webhook: row.webhook_state,
    revision: row.revision,
  }
}
