import { sql } from 'kysely'
import { AppError } from '../../lib/errors.ts'
import { noteAct } from '../../store/acts.ts'
import type { Reader, Tx } from '../../store/database.ts'
import type { Role } from '../../features/projects/roles.ts'

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
  const rows = await selectMembers(db, organizationId)
    .orderBy(sql`lower(people.name)`)
    .execute()
  return rows.map(memberOf)
}

export async function findMember(
  db: Reader,
  organizationId: string,
  personId: string,
): Promise<Member | undefined> {
  const row = await selectMembers(db, organizationId).where('people.id', '=', personId).executeTakeFirst()
  return row && memberOf(row)
}

function selectMembers(db: Reader, organizationId: string) {
  return db
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
}

type MemberRow = Awaited<ReturnType<ReturnType<typeof selectMembers>['execute']>>[number]

function memberOf({ created_at: joinedAt, last, ...row }: MemberRow): Member {
  return { ...row, joinedAt, lastUsedAt: last ?? undefined }
}

/** Who is a member already keeps the role. @returns whether the person was none */
export async function addMember(
  tx: Tx,
  organizationId: string,
  personId: string,
  role: Role,
): Promise<boolean> {
  // Owners make such links only for people of their own organization alone, which this one no longer is.
  await tx.deleteFrom('password_links').where('person_id', '=', personId).execute()
  const added = await tx
    .insertInto('memberships')
    .values({ organization_id: organizationId, person_id: personId, role })
    .onConflict((conflict) => conflict.columns(['organization_id', 'person_id']).doNothing())
    .returning('person_id')
    .executeTakeFirst()
  return added !== undefined
}

/** @throws AppError `not_found`, `conflict` for the last owner */
export async function changeRole(
  tx: Tx,
  organizationId: string,
  personId: string,
  role: Role,
): Promise<void> {
  const wasOwner = role !== 'owner' && (await requireOtherOwners(tx, organizationId, personId))
  const changed = await tx
    .updateTable('memberships')
    .set({ role })
    .where('organization_id', '=', organizationId)
    .where('person_id', '=', personId)
    .returning('person_id')
    .executeTakeFirst()
  if (!changed) throw noMember(personId)
  if (wasOwner) await endPasswordLinks(tx, organizationId)
  await noteMember(tx, personId, `, now ${role}`)
}

/** @throws AppError `not_found`, `conflict` for the last owner */
export async function removeMember(tx: Tx, organizationId: string, personId: string): Promise<void> {
  const wasOwner = await requireOtherOwners(tx, organizationId, personId)
  const removed = await tx
    .deleteFrom('memberships')
    .where('organization_id', '=', organizationId)
    .where('person_id', '=', personId)
    .returning('person_id')
    .executeTakeFirst()
  if (!removed) throw noMember(personId)
  if (wasOwner) await endPasswordLinks(tx, organizationId)
  await noteMember(tx, personId)
  await tx
    .updateTable('sessions')
    .set({ organization_id: null })
    .where('person_id', '=', personId)
    .where('organization_id', '=', organizationId)
    .execute()
}

/**
 * Whoever is no owner any more may have kept links with which to sign in as somebody else, which no page lists. Another
 * owner can make a new one.
 */
export async function endPasswordLinks(tx: Tx, organizationId: string): Promise<void> {
  await tx
    .deleteFrom('password_links')
    .where('person_id', 'in', (of) =>
      of.selectFrom('memberships').select('person_id').where('organization_id', '=', organizationId),
    )
    .execute()
}

/** Says in the audit log whom something was done to, by the name of now. */
export async function noteMember(tx: Tx, personId: string, more = ''): Promise<void> {
  const person = await tx.selectFrom('people').select('name').where('id', '=', personId).executeTakeFirst()
  if (person) noteAct({ target: `${person.name} (${personId})${more}` })
}

/**
 * Locks the organization, so that of two owners who leave at once one stays.
 * @returns whether this person is an owner
 * @throws AppError `conflict` when nobody but this person owns it
 */
export async function requireOtherOwners(tx: Tx, organizationId: string, personId: string): Promise<boolean> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forUpdate().execute()
  const owners = await tx
    .selectFrom('memberships')
    .select('person_id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .execute()
  const isOwner = owners.some(({ person_id: id }) => id === personId)
  if (isOwner && owners.length === 1)
    throw new AppError('conflict', 'The organization needs an owner: make someone else one first')
  return isOwner
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
    `There is no one with the id ${JSON.stringify(personId.slice(0, 100))} in this organization`,
  )
}
