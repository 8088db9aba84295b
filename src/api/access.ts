import { AppError } from '../lib/errors.ts'
import { sameSecret } from '../lib/ids.ts'
import { hasUnstorable } from '../lib/plain-text.ts'
import { createAddressList } from '../lib/address-list.ts'
import { findWithKey } from '../features/projects/find-with-key.ts'
import type { UsedKey } from '../features/projects/find-with-key.ts'
import { kindOfToken, touchKey } from '../features/projects/keys.ts'
import type { AdminScope, AssistantScope } from '../features/projects/keys.ts'
import { findProject, findProjectByDomain } from '../features/projects/projects.ts'
import type { Project } from '../features/projects/projects.ts'
import { visibilityOf } from '../features/projects/visibility.ts'
import type { Store } from '../store/database.ts'
import { callerOf } from './caller.ts'
import type { ClientAddress } from './client-address.ts'
import type { RequestContext } from './endpoint.ts'

/** Who may do what: each throws AppError `unauthorized`, `forbidden` or `not_found`, in that order. */
export interface Access {
  /** The project of a path, for an admin key of its organization that has the scope. */
  adminProject(context: RequestContext, projectId: string, scope: AdminScope): Promise<Project>
  /** The project of a domain, for an assistant key of it, from an origin that the key allows. */
  assistantProject(context: RequestContext, domain: string, scope?: AssistantScope): Promise<Project>
  /** The project whose repository is read over git, with an admin key as the password. */
  repositoryProject(context: RequestContext, domain: string): Promise<Project>
  /** The project of a domain whose pages are also for keys: one of its assistant keys or of its organization's admin keys, also as a password. */
  docsProject(context: RequestContext, domain: string): Promise<Project>
  /** Commands on this machine, with the token that only the data folder's owner can read. */
  operator(context: RequestContext): void
}

/** @param operatorToken opens everything on this server */
export function createAccess(store: Store, operatorToken: string, addressOf: ClientAddress): Access {
  const findProjectBy = { id: findProject, domain: findProjectByDomain }
  // The key is judged by whoever asks for the project, which only those may see whom it belongs to.
  const open = async (token: string | undefined, by: 'id' | 'domain', name: string): Promise<Opened> => {
    if (!token)
      throw new AppError(
        'unauthorized',
        'Send a key in the Authorization header: "Authorization: Bearer svc_…"',
      )
    // No project is called so, and the database takes no such text.
    const asked = hasUnstorable(name) ? '' : name
    if (sameSecret(token, operatorToken))
      return { key: 'operator', project: await findProjectBy[by](store.db, asked) }
    const found = kindOfToken(token) && (await findWithKey(store.db, token, by, asked))
    if (!found)
      throw new AppError(
        'unauthorized',
        'The key is malformed, unknown, revoked or expired; make one on the API keys page',
      )
    noteUse(store, found.key)
    return found
  }
  const requireUse = (context: RequestContext, key: UsedKey, scope: AdminScope | AssistantScope): void => {
    if (key.scopes.length > 0 && !key.scopes.includes(scope))
      throw new AppError('forbidden', `The key lacks the scope "${scope}"; use one that has it`)
    if (key.addresses.length === 0) return
    const address = addressOf(context)
    if (!createAddressList(key.addresses)(address))
      throw new AppError('forbidden', `The key may not be used from ${address}; use one that lists it`)
  }
  const requireAssistantUse = (context: RequestContext, key: UsedKey, scope: AssistantScope): void => {
    const origin = context.req.header('origin')
    if (key.origins.length > 0 && origin !== undefined && !key.origins.includes(origin))
      throw new AppError('forbidden', `The key may not be used from ${origin}; use one that lists it`)
    requireUse(context, key, scope)
  }
  const openAsAdmin = async (
    context: RequestContext,
    token: string | undefined,
    scope: AdminScope,
    ...named: [by: 'id' | 'domain', name: string]
  ): Promise<Project> => {
    const { key, project } = await open(token, ...named)
    if (key !== 'operator') {
      if (key.kind !== 'admin')
        throw new AppError('forbidden', 'This needs an admin key (svc_…); the key sent is an assistant key')
      requireUse(context, key, scope)
    }
    return visibleTo(context, key, project, named[1])
  }
  const visibleTo = (
    context: RequestContext,
    key: Opened['key'],
    project: Project | undefined,
    name: string,
  ): Project => {
    // A neighbour's project looks like none at all.
    if (!project || (key !== 'operator' && key.organizationId !== project.organizationId))
      throw new AppError(
        'not_found',
        `There is no project ${JSON.stringify(name)} for this key; check the address`,
      )
    if (key === 'operator') context.set('caller', {})
    else {
      const { id, organizationId: organization } = project
      context.set('caller', { ...callerOf(context), key: key.id, project: id, organization })
    }
    return project
  }
  return {
    adminProject: (context, projectId, scope) =>
      openAsAdmin(context, bearerToken(context), scope, 'id', projectId),
    async assistantProject(context, domain, scope = 'assistant') {
      const { key, project } = await open(bearerToken(context), 'domain', domain)
      if (key !== 'operator') {
        if (key.kind !== 'assistant')
          throw new AppError(
            'forbidden',
            'This needs an assistant key (svc_dsc_…); the key sent is an admin key, which must stay on servers',
          )
        requireAssistantUse(context, key, scope)
      }
      const own = key === 'operator' || project?.id === key.projectId
      return visibleTo(context, key, own ? project : undefined, domain)
    },
    repositoryProject: (context, domain) =>
      openAsAdmin(
        context,
        basicPassword(context) ?? bearerToken(context),
        'repository:read',
        'domain',
        domain,
      ),
    async docsProject(context, domain) {
      const { key, project } = await open(basicPassword(context) ?? bearerToken(context), 'domain', domain)
      if (key !== 'operator') {
        if (key.kind === 'admin') requireUse(context, key, 'repository:read')
        else requireAssistantUse(context, key, 'search')
      }
      const isReadable =
        key === 'operator' ||
        (project !== undefined &&
          visibilityOf(project.settings) === 'key' &&
          (key.kind === 'admin' || project.id === key.projectId))
      return visibleTo(context, key, isReadable ? project : undefined, domain)
    },
    operator(context) {
      const token = bearerToken(context)
      if (!token || !sameSecret(token, operatorToken))
        throw new AppError('unauthorized', 'This is for the docwright command on the server itself')
    },
  }
}

interface Opened {
  key: UsedKey | 'operator'
  project: Project | undefined
}

const noted = new Map<string, number>()
/** Milliseconds. */
const notedEvery = 60_000

// Beside the request, which does not wait for it. A use that could not be noted is noted with the next one.
function noteUse(store: Store, { id, lastUsedAt }: UsedKey): void {
  const now = Date.now()
  if (now - Math.max(lastUsedAt?.getTime() ?? 0, noted.get(id) ?? 0) < notedEvery) return
  if (noted.size > 10_000) noted.clear()
  noted.set(id, now)
  store.transaction((tx) => touchKey(tx, id)).catch(() => noted.delete(id))
}

/** Whether a request brings what may be a key: proxies have passwords of their own. */
export function bringsKey(context: RequestContext): boolean {
  const password = basicPassword(context)
  return password === undefined ? bearerToken(context) !== undefined : /^(?:svc|operator)_/.test(password)
}

function bearerToken(context: RequestContext): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(context.req.header('authorization') ?? '')?.[1]
}

function basicPassword(context: RequestContext): string | undefined {
  const encoded = /^Basic +(\S+) *$/i.exec(context.req.header('authorization') ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  return text.slice(text.indexOf(':') + 1)
}
