import { allow } from '../../features/projects/allow.ts'
import { findProjectByDomain, type Project } from '../../features/projects/projects.ts'
import { visibilityOf } from '../../features/projects/visibility.ts'
import { AppError } from '../../lib/errors.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import type { Store } from '../../store/database.ts'
import { varied, wantsPage } from '../accept.ts'
import { hasKey, type Access } from '../access.ts'
import type { RequestContext, Sharer } from '../endpoint.ts'
import { errorResponse, toAppError } from '../errors.ts'
import { errorPage } from '../frame/html/error-page.ts'
import { askToSignIn, callerOf } from '../frame/pages.ts'
import { readSession } from '../session-cookie.ts'
import { sharerOf } from '../sharer.ts'

export interface OpenDocsPorts {
  store: Store
  publicUrl(): string
  access: Access
  /** Logs an error of a page, with its cause. */
  reportError(error: Error, requestId: string): void
}

/** With this query parameter, the server makes the browser ask for a key. */
export const keyQuestion = 'key'

/**
 * The project whose pages a request may read, or the response to send instead. To callers without access, a private
 * project looks like a missing one.
 * @throws AppError `not_found` or `forbidden` for people who are signed in and for valid keys
 */
export async function openDocs(
  ports: OpenDocsPorts,
  context: RequestContext,
  verb: 'readDocs' | 'readLlmsTxt' | 'readLlmsFullTxt' = 'readDocs',
): Promise<Project | Response> {
  const domain = context.req.param('domain') ?? ''
  const project = hasUnstorable(domain) ? undefined : await findProjectByDomain(ports.store.db, domain)
  if (project && visibilityOf(project.settings) === 'public') {
    await ports.access.useLimitSizes(context, project)
    return project
  }
  hideFromStrangers(context)
  const session = await readSession(ports.store, ports.publicUrl(), context)
  if (session) {
    const allowed = allow(callerOf(session), verb, { name: domain, project })
    await ports.access.useLimitSizes(context, allowed)
    return allowed
  }
  if (!hasKey(context))
    return isForPerson(context) ? varied(askToSignIn(ports, context)) : askForKey(ports, context)
  try {
    return (await ports.access.project(context, verb)).project
  } catch (thrown) {
    const error = toAppError(thrown)
    if (error.code === 'unauthorized') return askForKey(ports, context, error)
    throw thrown
  }
}

/**
 * Readers of public pages may have no key, so their searches are counted separately from those of the project's keys.
 */
export function readerOf(context: RequestContext, project: Project): Sharer {
  return { address: sharerOf(context).address, project: `pages of ${project.id}` }
}

export const markdownHeaders = {
  'Content-Type': 'text/markdown; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
} as const

/** Tells caches and search engines not to keep the page. */
export function hideFromStrangers(context: RequestContext): void {
  for (const [name, value] of hidden) context.header(name, value)
}

const hidden = [
  ['Cache-Control', 'private, no-store'],
  ['X-Robots-Tag', 'noindex'],
] as const

// Programs are asked for a key, and browsers only when their user has said that they have one.
function isForPerson(context: RequestContext): boolean {
  return wantsPage(context) && context.req.query(keyQuestion) === undefined
}

/** A refusal that no cache keeps. */
export function hiddenRefusal(error: AppError): Response {
  const response = errorResponse(error)
  for (const [name, value] of hidden) response.headers.set(name, value)
  return response
}

async function askForKey(
  ports: OpenDocsPorts,
  context: RequestContext,
  error = new AppError(
    'unauthorized',
    'Sign in, or send a key that may read these pages: "Authorization: Bearer svc_…", or the key as the password',
  ),
): Promise<Response> {
  const response = varied(
    wantsPage(context) ? await errorPage(context, error, ports.reportError) : hiddenRefusal(error),
  )
  // Browsers understand only one challenge in this header.
  response.headers.set('WWW-Authenticate', 'Basic realm="Docwright"')
  for (const [name, value] of hidden) response.headers.set(name, value)
  return response
}
