import { sql } from 'kysely'
import { AppError } from '../../../lib/errors.ts'
import { newId, randomText, sha256 } from '../../../lib/ids.ts'
import type { Reader, Tx } from '../../../store/database.ts'
import type { Role } from '../person.ts'
import { addMember } from './members.ts'

/** A link that makes one person a member, once. */
export interface Invitation {
  id: string
  organizationId: string
  role: Role
  /** Whom it is for, as whoever made it has noted. */
  note: string
  invitedBy: string
  createdAt: Date
  expiresAt: Date
}

export interface NewInvitation {
  organizationId: string
  role: Role
  note: string
  invitedBy: string
  days: number
}

/** @returns the invitation and the secret of its link, which is never available again */
export async function createInvitation(
  tx: Tx,
  { organizationId, role, note, invitedBy, days }: NewInvitation,
): Promise<{ invitation: Invitation; secret: string }> {
  const secret = randomText(32)
  const row = await tx
    .insertInto('invitations')
    .values({
      id: newId('inv'),
      organization_id: organizationId,
      hash: sha256(secret),
      role,
      note: note.slice(0, 200),
      invited_by: invitedBy,
      expires_at: sql<Date>`now() + make_interval(days => ${days}::int)`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { invitation: invitationOf(row), secret }
}

/** Those that still work, oldest first. */
export async function listInvitations(db: Reader, organizationId: string): Promise<Invitation[]> {
  const rows = await db
    .selectFrom('invitations')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('created_at')
    .execute()
  return rows.map(invitationOf)
}

/** @returns false when the organization has none with this id that still works */
export async function revokeInvitation(tx: Tx, organizationId: string, id: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('invitations')
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Undefined when the link is unknown, used, taken back or expired. */
export async function findInvitation(
  db: Reader,
  secret: string,
): Promise<(Invitation & { organization: string }) | undefined> {
  const row = await db
    .selectFrom('invitations')
    .innerJoin('organizations', 'organizations.id', 'invitations.organization_id')
    .selectAll('invitations')
    .select('organizations.name as organization')
    .where('hash', '=', sha256(secret))
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row && { ...invitationOf(row), organization: row.organization }
}

/**
 * Uses an invitation up and makes the person a member.
 * @throws AppError `forbidden` when the link is unknown, used, taken back or expired
 */
export async function redeemInvitation(tx: Tx, secret: string, personId: string): Promise<Invitation> {
  const row = await tx
    .updateTable('invitations')
    .set({ used_at: sql<Date>`now()`, used_by: personId })
    .where('hash', '=', sha256(secret))
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw invitationGone()
  await addMember(tx, row.organization_id, personId, row.role)
  return invitationOf(row)
}

export function invitationGone(): AppError {
  return new AppError(
    'forbidden',
    'The invitation was used, taken back, or is too old: ask whoever invited you for a new one',
  )
}

function invitationOf(row: {
  id: string
  organization_id: string
  role: Role
  note: string
  invited_by: string
  created_at: Date
  expires_at: Date
}): Invitation {
  return {
    id: row.id,
    organizationId: row.organization_id,
    role: row.role,
    note: row.note,
    invitedBy: row.invited_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
