import { html } from 'hono/html'
import { AppError } from '../../lib/errors.ts'
import type { RequestContext, Visitor } from '../endpoint.ts'
import { csrfField } from './html/form.ts'
import type { Html } from './html/html.ts'
import { show } from './html/respond.ts'
import { holdsSecret, withoutSecrets } from './read-form.ts'

/** Characters; a longer value is something that a person has written. */
const longestMark = 60

/**
 * The answer to a form whose session has ended, or that a page of an earlier session has made. It holds what was typed,
 * so that signing in again costs nothing but a press of a button.
 * @throws AppError `forbidden` when it is not sure that the form is ours
 */
export async function askToSendAgain(
  context: RequestContext,
  session: Visitor | undefined,
  form: URLSearchParams,
  secrets: readonly string[],
): Promise<Response> {
  // Another site must not make a page with a button of ours that does what it likes. Browsers say this to servers by
  // https and on the machine itself.
  const isOurs = context.req.header('sec-fetch-site') === 'same-origin' && !holdsSecret(form, secrets)
  if (session && !isOurs)
    throw new AppError('forbidden', 'This page has expired. Go back, reload, and try again')
  const typed = [...withoutSecrets(form, secrets)]
  if (!session && (typed.length === 0 || !isOurs)) return context.redirect('/sign-in', 303)
  const { pathname, search } = new URL(context.req.url)
  const body = html`<div class="card narrow">
    <h1>${session ? 'Send it again' : 'You’ve been signed out'}</h1>
    <p data-problem>
      ${session ? 'Your session changed, so nothing was sent yet.' : html`Nothing is done yet, and what you typed is kept here. <a href="/sign-in" target="_blank">Sign in</a> in another tab, then come back and send it.`}
    </p>
    <form method="post" action="${pathname}${search}" class="stack">
      ${session ? csrfField(session) : ''} ${typed.map(([name, value]) => field(name, value))}
      <button class="primary">Send it</button>
    </form>
  </div>`
  return show(context, { title: 'Send it again', session }, body, session ? 403 : 401)
}

function field(name: string, value: string): Html {
  return value.length > longestMark || value.includes('\n')
    ? html`<textarea name="${name}" rows="8" aria-label="What you typed">${value}</textarea>`
    : html`<input type="hidden" name="${name}" value="${value}" />`
}
