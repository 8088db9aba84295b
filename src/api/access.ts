import { AppError } from '../lib/errors.ts'
import { sameSecret } from '../lib/ids.ts'
import { hasUnstorable } from '../lib/plain-text.ts'
import { createAddressList } from '../lib/address-list.ts'
import { findLiveKey, kindOfToken, touchKey } from '../features/projects/keys.ts'
import type { AdminScope, AssistantScope, Key } from '../features/projects/keys.ts'
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
  const keyOf = async (token: string | undefined): Promise<Key | 'operator'> => {
    if (!token)
      throw new AppError(
        'unauthorized',
        'Send a key in the Authorization header: "Authorization: Bearer svc_…"',
      )
    if (sameSecret(token, operatorToken)) return 'operator'
    const key = kindOfToken(token) && (await findLiveKey(store.db, token))
    if (!key)
      throw new AppError(
        'unauthorized',
        'The key is malformed, unknown, revoked or expired; make one on the API keys page',
      )
    if (!key.lastUsedAt || Date.now() - key.lastUsedAt.getTime() > 60_000)
      await store.transaction((tx) => touchKey(tx, key.id))
    return key
  }
  const requireUse = (context: RequestContext, key: Key, scope: AdminScope | AssistantScope): void => {
    if (key.scopes.length > 0 && !key.scopes.includes(scope))
      throw new AppError('forbidden', `The key lacks the scope "${scope}"; use one that has it`)
    if (key.addresses.length === 0) return
    const address = addressOf(context)
    if (!createAddressList(key.addresses)(address))
      throw new AppError('forbidden', `The key may not be used from ${address}; use one that lists it`)
  }
  const requireAssistantUse = (context: RequestContext, key: Key, scope: AssistantScope): void => {
    const origin = context.req.header('origin')
    if (key.origins.length > 0 && origin !== undefined && !key.origins.includes(origin))
      throw new AppError('forbidden', `The key may not be used from ${origin}; use one that lists it`)
    requireUse(context, key, scope)
  }
  const adminKey = async (
    context: RequestContext,
    token: string | undefined,
    scope: AdminScope,
  ): Promise<Key | 'operator'> => {
    const key = await keyOf(token)
    if (key === 'operator') return key
    if (key.kind !== 'admin')
      throw new AppError('forbidden', 'This needs an admin key (svc_…); the key sent is an assistant key')
    requireUse(context, key, scope)
    return key
  }
  const visibleTo = (
    context: RequestContext,
    key: Key | 'operator',
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
    async adminProject(context, projectId, scope) {
      const key = await adminKey(context, bearerToken(context), scope)
      return visibleTo(
        context,
        key,
        hasUnstorable(projectId) ? undefined : await findProject(store.db, projectId),
        projectId,
      )
    },
    async assistantProject(context, domain, scope = 'assistant') {
      const key = await keyOf(bearerToken(context))
      if (key !== 'operator' && key.kind !== 'assistant')
        throw new AppError(
          'forbidden',
          'This needs an assistant key (svc_dsc_…); the key sent is an admin key, which must stay on servers',
        )
      if (key !== 'operator') requireAssistantUse(context, key, scope)
      const project = hasUnstorable(domain) ? undefined : await findProjectByDomain(store.db, domain)
      const own = key === 'operator' || project?.id === key.projectId
      return visibleTo(context, key, own ? project : undefined, domain)
    },
    async repositoryProject(context, domain) {
      const token = basicPassword(context) ?? bearerToken(context)
      const key = await adminKey(context, token, 'repository:read')
      return visibleTo(
        context,
        key,
        hasUnstorable(domain) ? undefined : await findProjectByDomain(store.db, domain),
        domain,
      )
    },
    async docsProject(context, domain) {
      const key = await keyOf(basicPassword(context) ?? bearerToken(context))
      if (key !== 'operator') {
        if (key.kind === 'admin') requireUse(context, key, 'repository:read')
        else requireAssistantUse(context, key, 'search')
      }
      const project = hasUnstorable(domain) ? undefined : await findProjectByDomain(store.db, domain)
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
