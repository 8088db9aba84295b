import { countJobs, countQuestions } from '../../features/agent/find-jobs.ts'
import { countProblems } from '../../features/docs/problems/stored-check.ts'
import { allow, belongsTo, type Caller } from '../../features/projects/allow.ts'
import { findProjectByDomain, type Project } from '../../features/projects/projects.ts'
import type { Verb } from '../../features/projects/rights.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import type { Machine } from '../../integrations/machine/machine.ts'
import { AppError } from '../../lib/errors.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import { abandonAct, noteAct } from '../../store/acts.ts'
import type { Store } from '../../store/database.ts'
import { noteAddress } from '../addresses.ts'
import type { Endpoint, RefusedForm, RequestContext, Visitor, WaitingInProject } from '../endpoint.ts'
import { toAppError } from '../errors.ts'
import { noteRequest } from '../note-request.ts'
import { readSession, rememberReturnPath, safeReturnPath } from '../session-cookie.ts'
import { shareAsProject } from '../sharer.ts'
import { errorPage, withStatusOf } from './html/error-page.ts'
import { hasToken, readForm, withoutSecrets } from './read-form.ts'
import { askToSendAgain } from './send-again.ts'

interface Ports {
  store: Store
  machine: Pick<Machine, 'trouble'>
  publicUrl(): string
  clientAddress(context: RequestContext): string
  /** Logs an error of a page, with its cause. */
  reportError(error: Error, requestId: string): void
}

interface OpenVisit {
  context: RequestContext
  session: Visitor | undefined
}

export interface Visit {
  context: RequestContext
  session: Visitor
  caller: Caller
}

/** A page, to be sent again with a form that was refused. */
export type ShownPage = Pick<Endpoint, 'handle'>

type Handle<Given> = (given: Given) => Promise<Response>

/**
 * The frame of every page and form: who asks, whether they may, and what happens with a form that is refused. It is made
 * once, so that a page gets the ports of its own matter alone.
 */
export interface Pages {
  /** An endpoint for browsers, which shows errors as pages. */
  browserEndpoint(method: 'get' | 'post', path: string, handle: Handle<RequestContext>): Endpoint
  /** The page at a path, for forms of other nouns that are shown on it. */
  at(path: string): ShownPage
  /** A page that everybody may open, and that itself decides what to show. */
  openPage(path: string, handle: Handle<OpenVisit>): Endpoint
  /** A page for people who are allowed `verb`. Others are sent to the sign-in page and return after signing in. */
  page(path: string, verb: Verb, handle: Handle<Visit>): Endpoint
  /** The same for the project that the path names. */
  projectPage(path: string, verb: Verb, handle: Handle<Visit & { project: Project }>): Endpoint
  /**
   * Handles a form that does what `verb` does over HTTP. It requires a session and its CSRF token, and answers with a
   * redirect or a page.
   * @param shownOn the page of the form, which comes back with what was typed when the form is refused
   * @param secrets the fields that are never shown again
   */
  form(
    path: string,
    verb: Verb,
    handle: Handle<Visit & { form: URLSearchParams }>,
    shownOn?: ShownPage,
    secrets?: readonly string[],
  ): Endpoint
  /** The same for the project that the path names. */
  projectForm(
    path: string,
    verb: Verb,
    handle: Handle<Visit & { form: URLSearchParams; project: Project }>,
    shownOn?: ShownPage,
    secrets?: readonly string[],
  ): Endpoint
  /** A form for people who are not signed in yet. It needs no token, because there is no session to misuse. */
  openForm(
    path: string,
    verb: Verb,
    handle: Handle<{ context: RequestContext; form: URLSearchParams }>,
    shownOn: ShownPage,
    secrets?: readonly string[],
  ): Endpoint
}

/** The person of a session, as `allow` asks for one. */
export function callerOf({ person }: Session): Caller {
  return { kind: 'person', person }
}

export function createPages(ports: Ports): Pages {
  const byPath = new Map<string, ShownPage>()
  const browserEndpoint: Pages['browserEndpoint'] = (method, path, handle) => {
    const endpoint: Endpoint = {
      route: { method, path, hide: true, responses: { 200: { description: 'A page for people' } } },
      async handle(context) {
        try {
          return await handle(context)
        } catch (thrown) {
          return errorPage(context, thrown, ports.reportError)
        }
      },
    }
    if (method === 'get') byPath.set(path, endpoint)
    return endpoint
  }

  const openPage: Pages['openPage'] = (path, handle) =>
    browserEndpoint('get', path, async (context) => {
      const session = await visitorOf(ports, context)
      const project = context.get('project')
      if (session && project) session.waiting = await waitingIn(ports.store, project.id)
      return handle({ context, session })
    })

  const page: Pages['page'] = (path, verb, handle) => {
    noteAddress('get', path, verb)
    return openPage(path, async ({ context, session }) => {
      if (!session) return askToSignIn(ports, context)
      const caller = callerOf(session)
      allow(caller, verb)
      return handle({ context, session, caller })
    })
  }

  const form: Pages['form'] = (path, verb, handle, shownOn, secrets = []) => {
    noteAddress('post', path, verb)
    const endpoint = browserEndpoint('post', path, async (context) => {
      const session = await visitorOf(ports, context)
      const form = await readForm(context)
      if (!session || !hasToken(form, session)) return askToSendAgain(context, session, form, secrets)
      const caller = callerOf(session)
      allow(caller, verb)
      noteRequest(context, { caller, verb, address: ports.clientAddress(context) })
      return orShowAgain(ports, context, { form, shownOn, secrets }, () =>
        handle({ context, session, caller, form }),
      )
    })
    return { ...endpoint, formOf: verb }
  }

  return {
    browserEndpoint,
    at: (path) => ({
      handle(context) {
        const page = byPath.get(path)
        if (page === undefined) throw new Error(`There is no page at ${path}`)
        return page.handle(context)
      },
    }),
    openPage,
    page,
    projectPage: (path, verb, handle) =>
      page(path, verb, async (visit) => handle({ ...visit, project: projectOf(visit, verb) })),
    form,
    projectForm: (path, verb, handle, ...view) =>
      form(path, verb, async (visit) => handle({ ...visit, project: projectOf(visit, verb) }), ...view),
    openForm(path, verb, handle, shownOn, secrets = []) {
      const endpoint = browserEndpoint('post', path, async (context) => {
        const form = await readForm(context)
        const caller: Caller = { kind: 'stranger' }
        allow(caller, verb)
        noteRequest(context, { caller, verb, address: ports.clientAddress(context) })
        return orShowAgain(ports, context, { form, shownOn, secrets }, () => handle({ context, form }))
      })
      return { ...endpoint, formOf: verb }
    },
  }
}

// When a form is refused, its page comes back with what was typed.
async function orShowAgain(
  ports: Ports,
  context: RequestContext,
  {
    form,
    shownOn,
    secrets,
  }: { form: URLSearchParams; shownOn: ShownPage | undefined; secrets: readonly string[] },
  handle: () => Promise<Response>,
): Promise<Response> {
  try {
    return await handle()
  } catch (thrown) {
    abandonAct()
    const error = toAppError(thrown)
    if (!shownOn || error.code === 'internal') throw thrown
    if (error.code === 'unavailable') ports.reportError(error, context.get('requestId') ?? '')
    const path = new URL(context.req.url).pathname
    context.set('refused', { path, values: withoutSecrets(form, secrets), message: error.message })
    const page = await shownOn.handle(context)
    // The page itself may be gone.
    if (!page.ok) return page
    // Somebody else did not accept what was typed: the person is signed in.
    return withStatusOf(error.code === 'unauthorized' ? new AppError('invalid', error.message) : error, page)
  }
}

/** What was typed into the form that is sent to `path`; empty unless it was refused just now. */
export function typedInto(context: RequestContext, path: string): URLSearchParams {
  return refusedAt(context, path)?.values ?? new URLSearchParams()
}

/** The form that is sent to `path`, with why it was refused; undefined unless that was just now. */
export function refusedAt(context: RequestContext, path: string): RefusedForm | undefined {
  const refused = context.get('refused')
  return refused?.path === path ? refused : undefined
}

async function visitorOf(ports: Ports, context: RequestContext): Promise<Visitor | undefined> {
  const session = await readSession(ports.store, ports.publicUrl(), context)
  if (!session) return undefined
  const name = context.req.param('domain')
  const candidate =
    name === undefined || hasUnstorable(name) ? undefined : await findProjectByDomain(ports.store.db, name)
  // The frame of an error page must not name projects of others either.
  const project = candidate && belongsTo(callerOf(session), candidate.organizationId) ? candidate : undefined
  if (project) context.set('project', project)
  const own = session.organizations.find(({ id }) => id === project?.organizationId)
  const visitor = {
    ...session,
    organization: own ?? session.organization,
    trouble: ports.machine.trouble(),
  }
  context.set('visitor', visitor)
  return visitor
}

async function waitingIn({ db }: Store, projectId: string): Promise<WaitingInProject> {
  const [jobs, questions, problems] = await Promise.all([
    countJobs(db, [projectId]),
    countQuestions(db, projectId),
    countProblems(db, [projectId]),
  ])
  const { active = 0, pulls = 0 } = jobs.get(projectId) ?? {}
  return { active, questions, pulls, problems: problems.get(projectId) }
}

export function askToSignIn(ports: Pick<Ports, 'publicUrl'>, context: RequestContext): Response {
  const { pathname, search } = new URL(context.req.url)
  const wanted = safeReturnPath(`${pathname}${search}`)
  if (wanted !== '/') rememberReturnPath(context, ports.publicUrl(), wanted)
  return context.redirect('/sign-in', 303)
}

/** The project that the path names. @throws AppError `not_found`, `forbidden` */
function projectOf({ context, caller }: Visit, verb: Verb): Project {
  const name = context.req.param('domain') ?? ''
  const project = allow(caller, verb, { name, project: context.get('project') })
  shareAsProject(context, project)
  noteAct({ project, organizationId: project.organizationId })
  return project
}
