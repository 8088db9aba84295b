import { sql } from 'kysely'
import { AppError } from '../../lib/errors.ts'
import { newId, randomText, sha256 } from '../../lib/ids.ts'
import { dayText } from '../../lib/text/time-words.ts'
import { abandonAct, noteAct } from '../../store/acts.ts'
import type { Reader, Tx } from '../../store/database.ts'
import type { Role } from '../../features/projects/roles.ts'
import { addMember } from './members.ts'

type InvitationState = 'open' | 'used' | 'revoked' | 'expired'

/** A link that makes one person a member, once. */
export interface Invitation {
  id: string
  organizationId: string
  role: Role
  /** Whom it is for, as whoever made it has noted. */
  note: string
  /** The address of the only account that may take it; undefined: any account. */
  email: string | undefined
  invitedBy: string
  createdAt: Date
  expiresAt: Date
  state: InvitationState
  usedAt: Date | undefined
  /** The name of whoever used it. */
  usedBy: string | undefined
}

export interface NewInvitation {
  organizationId: string
  role: Role
  note: string
  email?: string | undefined
  invitedBy: string
  days: number
}

/** @returns the invitation and the secret of its link, which is never available again */
export async function createInvitation(
  tx: Tx,
  { organizationId, role, note, email, invitedBy, days }: NewInvitation,
): Promise<{ invitation: Invitation; secret: string }> {
  const secret = randomText(32)
  await tx
    .insertInto('invitations')
    .values({
      id: newId('inv'),
      organization_id: organizationId,
      hash: sha256(secret),
      role,
      note,
      email: email ?? null,
      invited_by: invitedBy,
      expires_at: sql<Date>`now() + make_interval(days => ${days}::int)`,
    })
    .execute()
  const row = await selectInvitations(tx).where('hash', '=', sha256(secret)).executeTakeFirstOrThrow()
  noteInvitation(row)
  return { invitation: invitationOf(row), secret }
}

function noteInvitation({ role, note }: { role: Role; note: string }): void {
  noteAct({ target: note === '' ? role : `${role}, for ${note}` })
}

const mostListed = 500

/** Newest first, with those that were used, taken back or not used in the last days. */
export async function listInvitations(db: Reader, organizationId: string): Promise<Invitation[]> {
  const rows = await selectInvitations(db)
    .where('organization_id', '=', organizationId)
    .orderBy('invitations.created_at', 'desc')
    .limit(mostListed)
    .execute()
  return rows.map(invitationOf)
}

/** @returns false when the organization has none with this id that still works */
export async function revokeInvitation(tx: Tx, organizationId: string, id: string): Promise<boolean> {
  const row = await tx
    .updateTable('invitations')
    .set({ revoked_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .where(isOpen)
    .returning(['role', 'note'])
    .executeTakeFirst()
  if (row) noteInvitation(row)
  else abandonAct()
  return row !== undefined
}

/** Undefined when the link is unknown, or has been used or ended for long. */
export async function findInvitation(
  db: Reader,
  secret: string,
): Promise<(Invitation & { organization: string }) | undefined> {
  const row = await selectInvitations(db)
    .innerJoin('organizations', 'organizations.id', 'invitations.organization_id')
    .select('organizations.name as organization')
    .where('hash', '=', sha256(secret))
    .executeTakeFirst()
  return row && { ...invitationOf(row), organization: row.organization }
}

/**
 * Uses an invitation up and makes the person a member.
 * @throws AppError `forbidden` when the link does not work, or not for this person, `conflict` for a member, who does
 * not use it up
 */
export async function redeemInvitation(
  tx: Tx,
  secret: string,
  personId: string,
): Promise<{ organizationId: string }> {
  const row = await tx
    .updateTable('invitations')
    .set({ used_at: sql<Date>`now()`, used_by: personId })
    .where('hash', '=', sha256(secret))
    .where(isOpen)
    .where(sql<boolean>`(email is null or email = (select email from people where id = ${personId}))`)
    .returning(['organization_id', 'role'])
    .executeTakeFirst()
  if (!row) throw invitationRefusal(await findInvitation(tx, secret))
  if (!(await addMember(tx, row.organization_id, personId, row.role)))
    throw new AppError('conflict', 'You belong to this organization already; the link is for someone else')
  return { organizationId: row.organization_id }
}

/** Says why an invitation does not work. */
export function invitationRefusal(
  found: Pick<Invitation, 'state' | 'email' | 'usedAt' | 'expiresAt'> | undefined,
): AppError {
  const day = (time: Date | undefined): string => (time ? dayText(time) : '')
  if (found?.state === 'open')
    return new AppError('forbidden', `The invitation is for ${found.email}: take it with this address`)
  const reasons = {
    used: `The invitation was used on ${day(found?.usedAt)}`,
    revoked: 'The invitation was revoked',
    expired: `The invitation ended on ${day(found?.expiresAt)}`,
  }
  const reason = found ? reasons[found.state] : 'Invitation not found, or it ended long ago'
  return new AppError('forbidden', `${reason}: ask the person who invited you for a new one`)
}

const isOpen = sql<boolean>`used_at is null and revoked_at is null and expires_at > now()`

function selectInvitations(db: Reader) {
  return db
    .selectFrom('invitations')
    .leftJoin('people', 'people.id', 'invitations.used_by')
    .selectAll('invitations')
    .select('people.name as used_by_name')
    .select(
      sql<InvitationState>`case when used_at is not null then 'used' when revoked_at is not null then 'revoked'
        when expires_at <= now() then 'expired' else 'open' end`.as('state'),
    )
}

type Row = Awaited<ReturnType<ReturnType<typeof selectInvitations>['execute']>>[number]

function invitationOf(row: Row): Invitation {
  return {
    id: row.id,
    organizationId: row.organization_id,
    role: row.role,
    note: row.note,
    email: row.email ?? undefined,
    invitedBy: row.invited_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    state: row.state,
    usedAt: row.used_at ?? undefined,
    usedBy: row.used_by_name ?? undefined,
  }
}
