import { html } from 'hono/html'
import { accountHolder } from '../../features/projects/allow.ts'
import type { Store } from '../../store/database.ts'
import type { Endpoint, RequestContext } from '../../api/endpoint.ts'
import { csrfField } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { show } from '../../api/frame/html/respond.ts'
import type { Pages } from '../../api/frame/pages.ts'
import { serverForm } from '../../verbs/form.ts'
import { leavePage } from '../../api/frame/leave-page.ts'
import * as deeds from './run.ts'
import { connectApp } from './verbs.ts'

interface Ports {
  store: Store
  publicUrl(): string
}

/** Where apps send people, to be let in. */
export const consentPath = '/account/connect'

const fields = ['client_id', 'redirect_uri', 'code_challenge', 'resource', 'state'] as const

/** The page that asks a person whether an app may use an MCP server, and the forms of connected apps. */
export function appPages(pages: Pages, ports: Ports): Endpoint[] {
  return [
    consentPage(pages, ports),
    serverForm(pages, ports, consentPath, deeds.connectApp, {
      typed: { only: fields },
      given: () => ({}),
      done: ({ context }, { redirect }) => leavePage(context, redirect, /:$/),
    }),
    serverForm(pages, ports, '/account/apps/{app}/disconnect', deeds.disconnectApp, {
      given: ({ context }) => ({ app: context.req.param('app') ?? '' }),
      done: ({ context }) => context.redirect('/account?done=app-disconnected', 303),
    }),
  ]
}

function consentPage(pages: Pages, ports: Ports): Endpoint {
  return pages.page(consentPath, 'connectApp', async ({ context, session, caller }) => {
    const parameter = (name: string): string => context.req.query(name) ?? ''
    // Until these are known to belong together, nobody is sent anywhere.
    const client = deeds.requireClient(parameter('client_id'), parameter('redirect_uri'))
    const refused = refusalOf(ports, context)
    const back = (parameters: Record<string, string>): string =>
      deeds.redirectWith(parameter('redirect_uri'), {
        ...parameters,
        state: context.req.query('state'),
        iss: ports.publicUrl(),
      })
    if (refused) return leavePage(context, back(refused), /:$/)
    const resource = deeds.resourceIn(ports.publicUrl(), parameter('resource')) ?? ''
    const person = accountHolder(caller)
    const place = new URL(parameter('redirect_uri'))
    const body = html`<div class="card narrow">
      <h1>Connect ${client.name}?</h1>
      ${
        person
          ? html`<p>
                ${person.name}, this app asks to use your account
                ${person.email === undefined ? '' : html`(<strong>${person.email}</strong>)`}.
              </p>
              ${permissions(resource)}
              <p class="muted">
                The name is the app’s own and isn’t verified. You continue to
                <strong>${place.host === '' ? place.protocol : `${place.protocol}//${place.host}`}</strong>.
                Only continue if you started this.
              </p>
              <form method="post" action="${consentPath}" class="stack">
                ${csrfField(session)}
                ${fields.map((name) => html`<input type="hidden" name="${name}" value="${parameter(name)}" />`)}
                <div class="buttons">
                  <button class="primary">Connect app</button>
                  <a class="button" href="${back({ error: 'access_denied' })}">Cancel</a>
                </div>
              </form>
              <p class="muted">You can disconnect it at any time in <a href="/account">your account</a>.</p>`
          : html`<p>
              You’re signed in as the server operator, without an account. Apps connect to accounts.
              <a href="/people">Invite yourself</a>, then connect the app again.
            </p>`
      }
    </div>`
    return show(context, { title: `Connect ${client.name}`, session, styles: ['people.css'] }, body)
  })
}

/** Why an app is sent back at once, in the words of OAuth. */
function refusalOf(
  { publicUrl }: Ports,
  context: RequestContext,
): { error: string; error_description: string } | undefined {
  const parameter = (name: string): string => context.req.query(name) ?? ''
  const refuse = (error: string, text: string) => ({ error, error_description: text })
  if (parameter('response_type') !== 'code')
    return refuse('unsupported_response_type', 'response_type must be code')
  if (parameter('code_challenge_method') !== 'S256')
    return refuse('invalid_request', 'PKCE with the method S256 is required')
  if (!connectApp.input.shape.code_challenge.safeParse(parameter('code_challenge')).success)
    return refuse('invalid_request', 'code_challenge must be a challenge of PKCE')
  if (parameter('state').length > 2000) return refuse('invalid_request', 'state is too long')
  if (deeds.resourceIn(publicUrl(), parameter('resource')) === undefined)
    return refuse('invalid_target', 'resource must be the URL of an MCP server here')
  return undefined
}

function permissions(resource: string): Html {
  const domain = resource.slice('/mcp/'.length)
  return html`<p>It can then, with your rights:</p>
    <ul>
      ${
        domain === ''
          ? html`<li>Read the jobs of your projects, with what they change</li>
              <li>Start jobs, send follow-ups, and cancel jobs where you can</li>`
          : html`<li>Search and read the docs of <strong>${domain}</strong></li>
              <li>Rate pages and searches</li>`
      }
    </ul>`
}
