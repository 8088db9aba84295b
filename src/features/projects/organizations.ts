import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Reader, Tx } from '../../store/database.ts'

/** The owner of projects and admin keys. Commands use the default organization when none is given. */
export interface Organization {
  id: string
  name: string
  isDefault: boolean
  createdAt: Date
}

export async function insertOrganization(tx: Tx, name: string, isDefault = false): Promise<Organization> {
  const row = await tx
    .insertInto('organizations')
    .values({ id: newId('org'), name, is_default: isDefault })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { id: row.id, name: row.name, isDefault: row.is_default, createdAt: row.created_at }
}

export async function listOrganizations(db: Reader): Promise<Organization[]> {
  const rows = await db.selectFrom('organizations').selectAll().orderBy('created_at').execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    isDefault: row.is_default,
    createdAt: row.created_at,
  }))
}

/** @throws AppError `not_found`; the default organization when `id` is undefined. */
export async function resolveOrganization(db: Reader, id?: string): Promise<Organization> {
  const organization = (await listOrganizations(db)).find((one) =>
    id === undefined ? one.isDefault : one.id === id,
  )
  if (!organization)
    throw new AppError(
      'not_found',
      id === undefined ? 'No organization is marked as the default' : `Organization ${id} not found`,
    )
  return organization
}

export async function renameOrganization(tx: Tx, id: string, name: string): Promise<void> {
  await tx.updateTable('organizations').set({ name }).where('id', '=', id).execute()
}
