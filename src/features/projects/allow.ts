import { createAddressList } from '../../lib/address-list.ts'
import { AppError } from '../../lib/errors.ts'
import type { AskedByColumn } from '../../store/columns.ts'
import type { UsedKey } from './used-key.ts'
import { isAtLeast, hasScope, type Person } from './roles.ts'
import { listProjects, type Project } from './projects.ts'
import { docs, rights, type Right, type Verb } from './rights.ts'
import { visibilityOf } from './visibility.ts'
import type { Reader } from '../../store/database.ts'

/** Who asks for something. */
export type Caller =
  /** Somebody without a session or a valid key. `onOwnPage`: on a page of this server, as far as browsers say. */
  | { kind: 'stranger'; onOwnPage?: boolean }
  /** The commands on the server, which have the token from the data folder. */
  | { kind: 'operator' }
  /** Somebody with a session. */
  | { kind: 'person'; person: Person }
  /** `origin` is that of the web page that uses the key, if there is one. */
  | { kind: 'key'; key: UsedKey; address(): string; origin: string | undefined }

/** The project that a request names, and the one that was found by that name. */
export interface Named {
  name: string
  project: Project | undefined
}

/**
 * The one place that decides whether a caller may do something, on the server or to a project.
 * @throws AppError `unauthorized` or `forbidden`, then `not_found` when the project does not exist or is not this
 * caller's
 */
export function allow(caller: Caller, verb: Verb): void
export function allow(caller: Caller, verb: Verb, named: Named): Project
export function allow(caller: Caller, verb: Verb, named?: Named): Project | undefined {
  if (named?.project && isReader(caller, verb, named.project)) return named.project
  const refusal = refusalOf(caller, rights[verb])
  if (refusal) throw refusal
  if (!named) return undefined
  const { project, name } = named
  // A project of another organization looks like a missing one.
  if (project && reaches(caller, verb, project)) {
    const refused = refusalOf(caller, rights[verb], project.organizationId)
    if (refused) throw refused
    return project
  }
  const to = caller.kind === 'key' ? ' for this key' : ''
  throw new AppError(
    'not_found',
    `Project ${JSON.stringify(name.slice(0, 100))} not found${to}. Check the project ID or domain`,
  )
}

/** Whether a stranger on a page of this server may do something to a project because its pages are public. */
export function isReader(caller: Caller, verb: Verb, { settings }: Project): boolean {
  return (
    caller.kind === 'stranger' &&
    caller.onOwnPage === true &&
    rights[verb].readers === true &&
    visibilityOf(settings) === 'public' &&
    settings.assistantOnDocs === true
  )
}

/**
 * The same for an action on an organization.
 * @throws AppError `unauthorized`, `forbidden`, or `not_found` when it is not this caller's
 */
export function allowIn(caller: Caller, verb: Verb, organizationId: string): void {
  const refusal = refusalOf(caller, rights[verb])
  if (refusal) throw refusal
  if (!belongsTo(caller, organizationId))
    throw new AppError(
      'not_found',
      `Organization ${JSON.stringify(organizationId.slice(0, 100))} not found. Check the organization ID`,
    )
  const refused = refusalOf(caller, rights[verb], organizationId)
  if (refused) throw refused
}

/** The organizations whose projects exist for a caller; undefined: all of them. */
export function organizationsOf(caller: Caller): readonly string[] | undefined {
  if (isOperator(caller)) return undefined
  if (caller.kind === 'person') return [...caller.person.roles.keys()]
  return caller.kind === 'key' ? [caller.key.organizationId] : []
}

/** Whether the projects of an organization exist for a caller. */
export function belongsTo(caller: Caller, organizationId: string): boolean {
  return organizationsOf(caller)?.includes(organizationId) ?? true
}

/** Whether somebody runs the server: the `docwright` command on it, or the person whom that command signs in. */
export function isOperator(caller: Caller): boolean {
  return caller.kind === 'operator' || (caller.kind === 'person' && caller.person.isOperator)
}

/** The person who asks, with an account of their own: the operator has none. */
export function accountHolder(caller: Caller): Person | undefined {
  return caller.kind === 'person' && !caller.person.isOperator ? caller.person : undefined
}

/** Whom a record names as the one who did something. */
export function nameOf(caller: Caller): string {
  if (caller.kind === 'person') return caller.person.name
  if (caller.kind === 'key') return `The key ${caller.key.name ?? caller.key.id}`
  return caller.kind === 'operator' ? 'The operator' : 'Somebody'
}

/** What a prompt records of the one who asked for it. */
export function askedBy(caller: Caller): AskedByColumn | undefined {
  if (caller.kind === 'person')
    return {
      kind: caller.person.isOperator ? 'operator' : 'person',
      name: caller.person.name,
      id: caller.person.id,
    }
  if (caller.kind === 'key') return { kind: 'key', name: caller.key.name ?? caller.key.id, id: caller.key.id }
  return caller.kind === 'operator' ? { kind: 'operator', name: nameOf(caller) } : undefined
}

/** The same as an id that stays when the name changes. */
export function idOf(caller: Caller): string {
  if (caller.kind === 'person') return caller.person.id
  return caller.kind === 'key' ? caller.key.id : caller.kind
}

/** Whether `allow` would permit something, for rights that only change how a request is handled. */
export function mayDo(caller: Caller, verb: Verb, organizationId?: string): boolean {
  return refusalOf(caller, rights[verb], organizationId) === undefined
}

/** @param organizationId undefined: in any of the caller's, because it is not known yet which one is meant */
function refusalOf(caller: Caller, right: Right, organizationId?: string): AppError | undefined {
  if (caller.kind === 'operator' || right.anybody) return undefined
  if (caller.kind === 'key') {
    if (organizationId !== undefined && organizationId !== caller.key.organizationId)
      return new AppError('forbidden', 'The key belongs to another organization')
    return refusalOfKey(caller, right)
  }
  if (caller.kind === 'stranger')
    return new AppError(
      'unauthorized',
      right.admin || right.assistant
        ? 'Missing API key. Send it in the Authorization header: "Authorization: Bearer svc_…"'
        : whoMay(right),
    )
  return refusalOfPerson(caller.person, right, organizationId)
}

function refusalOfPerson(
  { isOperator, roles }: Person,
  right: Right,
  organizationId?: string,
): AppError | undefined {
  const { people: needed } = right
  if (needed === undefined) return new AppError('forbidden', whoMay(right))
  if (isOperator || needed === 'signed-in') return undefined
  if (needed === 'operator') return new AppError('forbidden', 'Only the server operator can do this')
  const own = organizationId === undefined ? [...roles.values()] : [roles.get(organizationId)]
  if (own.some((role) => role !== undefined && isAtLeast(role, needed))) return undefined
  return new AppError(
    'forbidden',
    `Only ${needed === 'viewer' ? 'people' : `an ${needed}`} of this organization can do this. Ask an owner to change your role`,
  )
}

function whoMay({ people }: Right): string {
  return `This is for ${people ? 'people who are signed in, and for ' : ''}the docwright command on the server itself`
}

function refusalOfKey(
  { key, address, origin }: Extract<Caller, { kind: 'key' }>,
  right: Right,
): AppError | undefined {
  const { admin, assistant } = right
  const scope = key.kind === 'admin' ? admin : assistant
  if (scope === undefined && admin !== undefined)
    return new AppError('forbidden', 'This endpoint requires an admin key (svc_…). You sent an assistant key')
  if (scope === undefined && assistant !== undefined)
    return new AppError(
      'forbidden',
      'This endpoint requires an assistant key (svc_dsc_…). You sent an admin key. Never use admin keys in browsers',
    )
  if (scope === undefined) return new AppError('unauthorized', whoMay(right))
  if (key.origins.length > 0 && origin !== undefined && !key.origins.includes(origin))
    return new AppError(
      'forbidden',
      `This key isn’t allowed from ${origin}. Add it to the key’s allowlist, or use another key`,
    )
  if (!hasScope(key, scope))
    return new AppError('forbidden', `This key is missing the scope "${scope}". Use a key with that scope`)
  if (key.addresses.length === 0) return undefined
  const from = address()
  if (createAddressList(key.addresses)(from)) return undefined
  return new AppError('forbidden', `The key may not be used from ${from}; use one that lists it`)
}

function reaches(caller: Caller, verb: Verb, project: Project): boolean {
  if (caller.kind === 'person') return belongsTo(caller, project.organizationId)
  if (caller.kind !== 'key') return true
  const { organizationId, projectId } = caller.key
  if (organizationId !== project.organizationId) return false
  if (projectId !== undefined && projectId !== project.id) return false
  if (rights[verb] !== docs || visibilityOf(project.settings) !== 'signed-in') return true
  // Programs have no other way to sign in than a key. Assistant keys are public, and admin keys can clone the
  // repository anyway.
  return (verb === 'useDocsTools' || verb === 'getDocsServerCard') && caller.key.kind === 'admin'
}

/** The projects that a caller may know of, oldest first. */
export async function listVisibleProjects(db: Reader, caller: Caller): Promise<Project[]> {
  return listProjects(db, organizationsOf(caller))
}
