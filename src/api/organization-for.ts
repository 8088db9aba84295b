import { allowIn, type Caller } from '../features/projects/allow.ts'
import type { Verb } from '../features/projects/rights.ts'
import { resolveOrganization, type Organization } from '../features/projects/organizations.ts'
import { AppError } from '../lib/errors.ts'
import { hasUnstorable } from '../lib/text/plain-text.ts'
import { noteAct } from '../store/acts.ts'
import type { Store } from '../store/database.ts'
import type { RequestContext } from './endpoint.ts'
import { readSession } from './session-cookie.ts'

interface Ports {
  store: Store
  publicUrl(): string
}

/**
 * The organization that a request is about, when the caller may do `verb` there: the one that is named, else that of
 * the key or the one that the session shows, else the default one.
 * @throws AppError `not_found`, `forbidden`
 */
export async function organizationFor(
  ports: Ports,
  context: RequestContext,
  { caller, ...asked }: { caller: Caller; verb: Verb; organization?: string | undefined },
): Promise<Organization> {
  return organizationAsked(
    ports.store,
    { caller, shownOrganization: () => shownOrganization(ports, context) },
    asked,
  )
}

/** The same for whoever asks, at whatever door. */
export async function organizationAsked(
  store: Store,
  asking: { caller: Caller; shownOrganization(): Promise<string | undefined> },
  { verb, organization }: { verb: Verb; organization?: string | undefined },
): Promise<Organization> {
  const { caller } = asking
  if (organization !== undefined || caller.kind !== 'person')
    return requireOrganization(store, { caller, verb, organization })
  const organizationId = await asking.shownOrganization()
  if (organizationId === undefined)
    throw new AppError('forbidden', 'You’re not a member of any organization. Ask an owner to invite you')
  return requireOrganization(store, { caller, verb, organization: organizationId })
}

/** The one that the session of a request shows. */
export async function shownOrganization(
  { store, publicUrl }: Ports,
  context: RequestContext,
): Promise<string | undefined> {
  const session = context.get('visitor') ?? (await readSession(store, publicUrl(), context))
  return session?.organization?.id
}

export async function requireOrganization(
  { db }: Store,
  asked: { caller: Caller; verb: Verb; organization?: string | undefined },
): Promise<Organization> {
  const { caller, verb } = asked
  const organization = asked.organization ?? (caller.kind === 'key' ? caller.key.organizationId : undefined)
  // Refused before it is looked up, so that nobody learns which organizations exist.
  if (organization !== undefined) allowIn(caller, verb, organization)
  const match = await resolveOrganization(
    db,
    organization !== undefined && hasUnstorable(organization) ? '' : organization,
  )
  noteAct({ organizationId: match.id })
  return match
}
