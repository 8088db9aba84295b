import { sql } from 'kysely'
import { AppError } from '../../../lib/errors.ts'
import type { Reader, Tx } from '../../../store/database.ts'
import type { Role } from '../person.ts'

/** Somebody in an organization. */
export interface Member {
  id: string
  name: string
  email: string
  role: Role
  joinedAt: Date
  lastUsedAt: Date | undefined
}

export async function listMembers(db: Reader, organizationId: string): Promise<Member[]> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .select((of) => [
      'people.id',
      'people.name',
      'people.email',
      'memberships.role',
      'memberships.created_at',
      of
        .selectFrom('sessions')
        .select(({ fn }) => fn.max('last_used_at').as('last'))
        .whereRef('sessions.person_id', '=', 'people.id')
        .as('last'),
    ])
    .where('organization_id', '=', organizationId)
    .orderBy(sql`lower(people.name)`)
    .execute()
  return rows.map(({ created_at: joinedAt, last, ...row }) => ({
    ...row,
    joinedAt,
    lastUsedAt: last ?? undefined,
  }))
}

export async function findMember(
  db: Reader,
  organizationId: string,
  personId: string,
): Promise<Member | undefined> {
  return (await listMembers(db, organizationId)).find(({ id }) => id === personId)
}

/** Who is a member already keeps the role. */
export async function addMember(tx: Tx, organizationId: string, personId: string, role: Role): Promise<void> {
  await tx
    .insertInto('memberships')
    .values({ organization_id: organizationId, person_id: personId, role })
    .onConflict((conflict) => conflict.columns(['organization_id', 'person_id']).doNothing())
    .execute()
}

/** @throws AppError `not_found`, `conflict` for the last owner */
export async function changeRole(
  tx: Tx,
  organizationId: string,
  personId: string,
  role: Role,
): Promise<void> {
  if (role !== 'owner') await requireOtherOwners(tx, organizationId, personId)
  const changed = await tx
    .updateTable('memberships')
    .set({ role })
    .where('organization_id', '=', organizationId)
    .where('person_id', '=', personId)
    .returning('person_id')
    .executeTakeFirst()
  if (!changed) throw noMember(personId)
}

/** @throws AppError `not_found`, `conflict` for the last owner */
export async function removeMember(tx: Tx, organizationId: string, personId: string): Promise<void> {
  await requireOtherOwners(tx, organizationId, personId)
  const removed = await tx
    .deleteFrom('memberships')
    .where('organization_id', '=', organizationId)
    .where('person_id', '=', personId)
    .returning('person_id')
    .executeTakeFirst()
  if (!removed) throw noMember(personId)
  await tx
    .updateTable('sessions')
    .set({ organization_id: null })
    .where('person_id', '=', personId)
    .where('organization_id', '=', organizationId)
    .execute()
}

/**
 * Locks the organization, so that of two owners who leave at once one stays.
 * @throws AppError `conflict` when nobody but this person owns it
 */
export async function requireOtherOwners(tx: Tx, organizationId: string, personId: string): Promise<void> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forUpdate().execute()
  const owners = await tx
    .selectFrom('memberships')
    .select('person_id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .execute()
  if (owners.length === 1 && owners[0]?.person_id === personId)
    throw new AppError('conflict', 'The organization needs an owner: make somebody else one first')
}

/** The organizations that somebody belongs to, with the role in each. */
export async function rolesOf(db: Reader, personId: string): Promise<ReadonlyMap<string, Role>> {
  const rows = await db
    .selectFrom('memberships')
    .select(['organization_id', 'role'])
    .where('person_id', '=', personId)
    .execute()
  return new Map(rows.map((row) => [row.organization_id, row.role]))
}

function noMember(personId: string): AppError {
  return new AppError(
    'not_found',
    `There is nobody with the id ${JSON.stringify(personId.slice(0, 100))} in this organization`,
  )
}
