import { AppError } from '../../lib/errors.ts'
import { hasUnstorable } from '../../lib/plain-text.ts'
import { findProjectByDomain } from '../../features/projects/projects.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Endpoint, RequestContext } from '../endpoint.ts'
import { errorPage } from './html/error-page.ts'
import type { Visitor } from './html/layout.ts'
import type { DashboardPorts } from './ports.ts'
import { readForm, requireToken } from './read-form.ts'
import { safeReturnPath } from './sign-in/return-path.ts'
import { readSession, rememberReturnPath } from './sign-in/session-cookie.ts'

type Ports = Pick<DashboardPorts, 'store' | 'machine' | 'publicUrl' | 'reportError'>

interface OpenVisit {
  context: RequestContext
  session: Visitor | undefined
}

interface Visit {
  context: RequestContext
  session: Visitor
}

/** An endpoint for browsers: whatever goes wrong becomes a page. */
export function browserEndpoint(
  ports: Pick<Ports, 'reportError'>,
  method: 'get' | 'post',
  path: string,
  handle: (context: RequestContext) => Promise<Response>,
): Endpoint {
  return {
    route: { method, path, hide: true, responses: { 200: { description: 'A page for people' } } },
    async handle(context) {
      try {
        return await handle(context)
      } catch (thrown) {
        return errorPage(context, thrown, ports.reportError)
      }
    },
  }
}

/** A page that decides itself what it shows to whom. */
export function openPage(
  ports: Ports,
  path: string,
  handle: (visit: OpenVisit) => Promise<Response>,
): Endpoint {
  return browserEndpoint(ports, 'get', path, async (context) =>
    handle({ context, session: await visitorOf(ports, context) }),
  )
}

/** A page for people who signed in; others are sent to the sign-in page and come back afterwards. */
export function page(ports: Ports, path: string, handle: (visit: Visit) => Promise<Response>): Endpoint {
  return openPage(ports, path, async ({ context, session }) =>
    session ? handle({ context, session }) : askToSignIn(ports, context),
  )
}

/** What a form does: only with a session and its token, and ends in a redirect or a page. */
export function form(
  ports: Ports,
  path: string,
  handle: (visit: Visit & { form: URLSearchParams }) => Promise<Response>,
): Endpoint {
  return browserEndpoint(ports, 'post', path, async (context) => {
    const session = await visitorOf(ports, context)
    if (!session) return context.redirect('/sign-in', 303)
    const form = await readForm(context)
    requireToken(form, session)
    return handle({ context, session, form })
  })
}

async function visitorOf(ports: Ports, context: RequestContext): Promise<Visitor | undefined> {
  const session = await readSession(ports.store.db, ports.publicUrl(), context)
  return session && { ...session, trouble: ports.machine.trouble() }
}

export function askToSignIn(ports: Pick<Ports, 'publicUrl'>, context: RequestContext): Response {
  const { pathname, search } = new URL(context.req.url)
  const wanted = safeReturnPath(`${pathname}${search}`)
  if (wanted !== '/') rememberReturnPath(context, ports.publicUrl(), wanted)
  return context.redirect('/sign-in', 303)
}

/** The project that the path names. @throws AppError `not_found` */
export async function projectOf(ports: Pick<Ports, 'store'>, context: RequestContext): Promise<Project> {
  const domain = context.req.param('domain') ?? ''
  const project = hasUnstorable(domain) ? undefined : await findProjectByDomain(ports.store.db, domain)
  if (!project) throw new AppError('not_found', `There is no project ${JSON.stringify(domain)}`)
  return project
}
