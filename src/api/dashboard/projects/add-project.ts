import { html } from 'hono/html'
import type { AddProjectInput } from '../../../features/projects/add-project.ts'
import type { Session } from '../../../features/projects/sign-in.ts'
import type { Endpoint } from '../../endpoint.ts'
import { csrfField, formProblem, textField } from '../html/form.ts'
import type { Html } from '../html/html.ts'
import { layout } from '../html/layout.ts'
import { respond } from '../html/respond.ts'
import { form, page, person } from '../page.ts'
import type { DashboardPorts } from '../ports.ts'
import { fieldOf } from '../read-form.ts'
import {
  appFields,
  hostKindField,
  readCredential,
  readHostKind,
  readVisibility,
  refusalOf,
  tokenFields,
  visibilityField,
  withoutSecrets,
} from './project-fields.ts'

/** Not below /projects/, where every name may be a project's. */
const path = '/add-project'

export function addProjectEndpoints(ports: DashboardPorts): Endpoint[] {
  return [
    page(ports, path, 'addProject', async ({ context, session }) =>
      respond(context, addPage(session, new URLSearchParams(), undefined)),
    ),
    form(ports, path, 'addProject', async ({ context, session, form }) => {
      try {
        const { project } = await ports.hosts.add(readInput(form), person)
        return context.redirect(`/projects/${project.domain}?done=added`, 303)
      } catch (thrown) {
        const { message, status } = refusalOf(ports, context, thrown)
        return respond(context, addPage(session, withoutSecrets(form), message), status)
      }
    }),
  ]
}

function addPage(session: Session, values: URLSearchParams, problem: string | undefined): Html {
  const text = (name: string, label: string | Html, placeholder = '', required = false): Html =>
    textField({ name, label, placeholder, required, value: values.get(name) })
  const hint = (label: string, more: string): Html => html`${label} <span class="muted">(${more})</span>`
  const isOpen = ['ref', 'root', 'site', 'host', 'fork'].some((name) => values.get(name))
  const body = html`<p class="trail"><a href="/projects">Projects</a></p>
    <h1>Add a project</h1>
    <p class="muted">
      The repository and the credential are tried before anything is kept. A folder on the server is added
      there:
      <code>docwright project add /path --domain NAME</code>
    </p>
    <form method="post" action="${path}" class="stack card form" autocomplete="off" data-stay="Trying it…">
      ${csrfField(session)}
      ${text('location', 'Address of the repository', 'https://github.com/example/handbook', true)}
      ${text('domain', hint('Name', 'a to z, 0 to 9 and hyphens; empty: as the repository is called'), 'handbook')}
      ${tokenFields(values)}
      <p class="muted">
        Without a token, the server’s own is used if it has one for that site. A public repository needs none
        for the assistant; jobs need one to publish. It is kept encrypted and never shown again.
      </p>
      ${visibilityField(values.get('visibility') ?? '')}
      <details data-key="app" ${values.get('appId') ? html` open` : ''}>
        <summary>A GitHub App instead of a token</summary>
        <div class="stack">${appFields(values)}</div>
      </details>
      <details data-key="options" ${isOpen ? html` open` : ''}>
        <summary>Branch, folder, site, fork</summary>
        <div class="stack">
          ${text('ref', hint('Branch', 'empty: the default one, also when it is renamed'), 'main')}
          ${text('root', hint('Folder of the pages', 'empty: the whole repository'), 'docs')}
          ${text('site', hint('Address of the published site', 'for links in answers'), 'https://docs.example.com')}
          ${text('fork', hint('Fork to push branches to', 'empty: the repository itself'))}
          ${hostKindField(values.get('host') ?? '')}
        </div>
      </details>
      ${formProblem(problem)}
      <button class="primary">Add project</button>
    </form>`
  return layout({ title: 'Add a project', session }, body)
}

function readInput(form: URLSearchParams): AddProjectInput {
  const optional = (name: string): string | undefined => fieldOf(form, name) || undefined
  return {
    location: fieldOf(form, 'location'),
    domain: optional('domain'),
    ref: optional('ref'),
    root: optional('root'),
    site: optional('site'),
    fork: optional('fork'),
    ...readVisibility(form),
    host: readHostKind(form),
    credential: readCredential(form),
  }
}
