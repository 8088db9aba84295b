import { allow, belongsTo, isReader, type Caller, type Named } from '../features/projects/allow.ts'
import { findAppPerson, isAppToken } from '../features/projects/app-grants.ts'
import { rights, type Verb } from '../features/projects/rights.ts'
import { findWithKey, kindOfToken, noteSite, touchKey, type UsedKey } from '../features/projects/used-key.ts'
import { createLimitSizes } from '../features/projects/limits.ts'
import { findProject, findProjectByDomain, type Project } from '../features/projects/projects.ts'
import type { Session } from '../features/projects/sign-in.ts'
import { AppError } from '../lib/errors.ts'
import { sameSecret } from '../lib/ids.ts'
import { hasUnstorable } from '../lib/text/plain-text.ts'
import { outsideAct } from '../store/acts.ts'
import type { Store } from '../store/database.ts'
import type { ClientAddress } from './client-address.ts'
import type { RequestContext } from './endpoint.ts'
import { noteRequest } from './note-request.ts'
import { takesPassword } from './password-verbs.ts'
import { isOtherPage, isOwnPage, refuseOtherSites } from './own-site.ts'
import { readSession } from './session-cookie.ts'
import { shareAsProject, sharerOf } from './sharer.ts'

/**
 * Identifies the caller and authorises the request with `allow`. Both functions throw AppError `unauthorized`,
 * `forbidden`, `not_found`, in that order.
 */
export interface Access {
  /** Authorises an action on the server as a whole. */
  server(context: RequestContext, verb: Verb): Promise<Caller>
  /**
   * Authorises an action on a project.
   * @param named its id or its domain; the one that the path names when absent, as `projectId` or `domain`
   */
  project(context: RequestContext, verb: Verb, named?: string): Promise<{ caller: Caller; project: Project }>
  /** Has limits of the request counted with the sizes that the operator has chosen for the project's organization. */
  useLimitSizes(context: RequestContext, project: Project): Promise<void>
}

interface Ports {
  store: Store
  /** This token gives access to everything on this server. */
  operatorToken: string
  addressOf: ClientAddress
  publicUrl(): string
}

/** What is counted by each process, with sizes that an operator may have chosen. */
const rated: ReadonlySet<Verb> = new Set([
  'search',
  'readPage',
  'getStarters',
  'sendFeedback',
  'readDocs',
  'readLlmsTxt',
  'readLlmsFullTxt',
  'useDocsTools',
])

export function createAccess(ports: Ports): Access {
  const sizesFor = createLimitSizes(ports.store.db)
  const identify = async (
    context: RequestContext,
    verb: Verb,
    place: Place,
  ): Promise<{ caller: Caller } & Pick<Named, 'project'>> => {
    const password = takesPassword(verb) ? basicPassword(context) : undefined
    const token = password ?? bearerToken(context)
    if (rights[verb].anybody) return { caller: { kind: 'stranger' }, project: undefined }
    if (token === undefined) {
      const session = await readSession(ports.store, ports.publicUrl(), context)
      const read = rights[verb].readers ? await findPlace(ports.store, place) : undefined
      const stranger = { kind: 'stranger', onOwnPage: isOwnPage(context) } as const
      if (!session) return { caller: stranger, project: read }
      const signedIn = { kind: 'person', person: session.person } as const
      // Somebody who is signed in reads public pages of another organization as a stranger does. Its other pages do not exist
      // for them.
      if (read && !belongsTo(signedIn, read.organizationId) && isReader(stranger, verb, read))
        return { caller: stranger, project: read }
      requireOwnRequest(context, session)
      // Responses to a signed-in person are private. A stream checks access again after its headers are sent.
      if (!context.finalized) context.header('Cache-Control', 'private, no-store')
      return { caller: signedIn, project: read ?? (await findPlace(ports.store, place)) }
    }
    if (sameSecret(token, ports.operatorToken))
      return { caller: { kind: 'operator' }, project: await findPlace(ports.store, place) }
    if (isAppToken(token)) {
      const person = await findAppPerson(ports.store.db, token, context.req.path)
      if (!person)
        throw new AppError(
          'unauthorized',
          'Invalid or expired token of a connected app, or one for another MCP server. Connect the app again',
        )
      return { caller: { kind: 'person', person }, project: await findPlace(ports.store, place) }
    }
    const match = kindOfToken(token) && (await findWithKey(ports.store.db, token, place.by, place.name))
    if (!match)
      throw new AppError(
        'unauthorized',
        'Invalid API key. It may be mistyped, revoked, or expired. Create a new key on the API keys page',
      )
    const { key, project } = match
    recordUse(ports.store, key)
    const origin = key.kind === 'assistant' ? context.req.header('origin') : undefined
    return { caller: { kind: 'key', key, address: () => ports.addressOf(context), origin }, project }
  }
  const addressOf = (context: RequestContext): string => ports.addressOf(context)
  const useLimitSizes: Access['useLimitSizes'] = async (context, { organizationId }) =>
    context.set('limitSizes', await sizesFor(organizationId))
  return {
    async server(context, verb) {
      const { caller } = await identify(context, verb, { by: 'id', name: '' })
      allow(caller, verb)
      noteRequest(context, { caller, verb, address: addressOf(context) })
      return caller
    },
    async project(context, verb, named) {
      const place = named === undefined ? placeOf(context) : placeNamed(named)
      const { caller, project: found } = await identify(context, verb, place)
      // The key is checked before the project, so that only callers with access learn which projects exist.
      const project = allow(caller, verb, { name: place.asked, project: found })
      noteRequest(context, { caller, verb, project, address: addressOf(context) })
      if (rated.has(verb)) await useLimitSizes(context, project)
      if (caller.kind === 'operator') context.set('sharer', {})
      if (caller.kind === 'stranger') {
        context.set('isReader', true)
        context.set('sharer', { ...sharerOf(context), project: `pages of ${project.id}` })
      }
      if (caller.kind === 'key') {
        shareAsProject(context, project, caller.key.id)
        if (asks.has(verb) && isOtherPage(context)) recordSite(ports.store, caller.key)
      }
      if (caller.kind === 'person') shareAsProject(context, project)
      return { caller, project }
    },
    useLimitSizes,
  }
}

interface Place {
  by: 'id' | 'domain'
  name: string
}

function placeOf(context: RequestContext): Place & { asked: string } {
  const id = context.req.param('projectId')
  const domain = context.req.param('domain') ?? ''
  const part = id ?? (context.req.path.startsWith('/git/') ? domain.replace(/\.git$/, '') : domain)
  // No project has such a name, and the database would reject the text.
  return { by: id === undefined ? 'domain' : 'id', asked: part, name: hasUnstorable(part) ? '' : part }
}

// A domain holds no underscore.
function placeNamed(name: string): Place & { asked: string } {
  const by = name.startsWith('prj_') ? 'id' : 'domain'
  return { by, asked: name, name: hasUnstorable(name) ? '' : name }
}

function findPlace({ db }: Store, { by, name }: Place): Promise<Project | undefined> {
  if (name === '') return Promise.resolve(undefined)
  return by === 'id' ? findProject(db, name) : findProjectByDomain(db, name)
}

/**
 * Browsers send cookies with requests of other sites too, so a request that changes something also needs the
 * session's CSRF token.
 * @throws AppError `unauthorized` or `forbidden`
 */
function requireOwnRequest(context: RequestContext, session: Session): void {
  if (/^(?:GET|HEAD)$/.test(context.req.method)) return
  if (!sameSecret(context.req.header('x-csrf-token') ?? '', session.csrfToken))
    throw new AppError(
      'unauthorized',
      'Missing CSRF token. Send an API key, or your session’s token in the X-CSRF-Token header (from GET /admin/session)',
    )
  refuseOtherSites(context)
}

const recorded = new Map<string, number>()
/** Milliseconds. */
const recordInterval = 60_000

// The request does not wait for this. A use that could not be recorded is recorded with the next one.
function recordUse(store: Store, { id, lastUsedAt }: UsedKey): void {
  const now = Date.now()
  if (now - Math.max(lastUsedAt?.getTime() ?? 0, recorded.get(id) ?? 0) < recordInterval) return
  if (recorded.size > 10_000) recorded.clear()
  recorded.set(id, now)
  outsideAct(() => store.transaction((tx) => touchKey(tx, id))).catch(() => recorded.delete(id))
}

const asks: ReadonlySet<Verb> = new Set(['askAssistant', 'askAssistantV1'])

// Known with the key from then on, so that it is written once.
function recordSite(store: Store, { id, askedOnSite }: UsedKey): void {
  if (!askedOnSite) outsideAct(() => store.transaction((tx) => noteSite(tx, id))).catch(() => undefined)
}

/** Whether a request has something that looks like a key: it may be the password of a proxy instead. */
export function hasKey(context: RequestContext): boolean {
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
