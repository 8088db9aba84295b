import { html } from 'hono/html'
import type { Project } from '../../../features/projects/projects.ts'
import { AppError } from '../../../lib/errors.ts'
import type { RequestContext } from '../../endpoint.ts'
import { errorResponse, toAppError } from '../../errors.ts'
import { isGone } from '../../exchange.ts'
import type { Html } from './html.ts'
import { layout } from './layout.ts'
import { sentence } from './parts.ts'
import { respond } from './respond.ts'

const titles: ReadonlyMap<number, string> = new Map([
  [400, 'Couldn’t complete your request'],
  [401, 'Sign in to continue'],
  [403, 'You don’t have access'],
  [404, 'Not found'],
  [409, 'Action not available'],
  [413, 'Request too large'],
  [429, 'Too many requests'],
  [503, 'Docwright is temporarily unavailable'],
])

/** The page for an error, in the frame of the page that was asked for. */
export async function errorPage(
  context: RequestContext,
  thrown: unknown,
  report: (error: Error, requestId: string) => void,
): Promise<Response> {
  const error = toAppError(thrown)
  const requestId = context.get('requestId') ?? ''
  if (!isGone(context) && (error.code === 'internal' || error.code === 'unavailable'))
    report(error.code === 'internal' && error.cause instanceof Error ? error.cause : error, requestId)
  const { status } = errorResponse(error)
  const project = context.get('project')
  const title = titles.get(status) ?? 'Something went wrong'
  const body = html`<h1>${title}</h1>
    <p data-problem>${sentence(error.message)}</p>
    ${status >= 500 && requestId !== '' ? html`<p class="muted">Request <code>${requestId}</code></p>` : ''}
    <p>${wayBack(project)}</p>`
  return withStatusOf(
    error,
    await respond(context, layout({ title, session: context.get('visitor'), project }, body)),
  )
}

function wayBack(project: Project | undefined): Html {
  return project
    ? html`<a class="button" href="/projects/${project.domain}">Back to ${project.domain}</a>`
    : html`<a class="button" href="/projects">Go to projects</a>`
}

/** A page with the status and the delay that the API would send for an error. */
export function withStatusOf(error: AppError, page: Response): Response {
  const { status, headers } = errorResponse(error)
  const retry = headers.get('Retry-After')
  if (retry !== null) page.headers.set('Retry-After', retry)
  return new Response(page.body, { status, headers: page.headers })
}

export function noSuchPage(): AppError {
  return new AppError('not_found', 'This page doesn’t exist. It may have been moved or removed')
}
