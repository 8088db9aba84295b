import { html } from 'hono/html'
import { listJobs } from '../../../features/agent/jobs.ts'
import type { AddProjectInput } from '../../../features/projects/add-project.ts'
import { listProjects, type Project } from '../../../features/projects/projects.ts'
import type { Session } from '../../../features/projects/sign-in.ts'
import type { Reader } from '../../../store/database.ts'
import { copyable, csrfField, formProblem, textField } from '../html/form.ts'
import type { Html } from '../html/html.ts'
import { layout } from '../html/layout.ts'
import { badge } from '../html/parts.ts'
import { respond, show } from '../html/respond.ts'
import { form, page } from '../page.ts'
import type { DashboardPorts } from '../ports.ts'
import { fieldOf, withoutSecrets } from '../read-form.ts'
import type { Endpoint } from '../../endpoint.ts'
import {
  appFields,
  hostKindField,
  readCredential,
  readHostKind,
  readVisibility,
  refusalOf,
  tokenFields,
  visibilityField,
} from './project-fields.ts'
import { isSyncing, syncState } from './sync-state.ts'

const addCommand = 'npm run -s docwright -- project add PATH --domain NAME'
const shownActive = 20

export function listProjectsEndpoints(ports: DashboardPorts): Endpoint[] {
  return ['/', '/projects'].map((path) => listProjectsEndpoint(ports, path))
}

function listProjectsEndpoint(ports: DashboardPorts, path: string): Endpoint {
  return page(ports, path, 'listProjects', async ({ context, session }) => {
    const projects = await listProjects(ports.store.db)
    const active = new Map<string, number>()
    for (const { id } of projects) active.set(id, await countActive(ports.store.db, id))
    const body = html`<div class="heading">
        <h1>Projects</h1>
        <a class="button" href="/add-project">Add a project</a>
      </div>
      ${
        projects.length === 0
          ? html`<div class="empty">
              <p>
                There is no project yet. <a href="/add-project">Add one</a> from a git host, or a folder of
                the machine that runs Docwright:
              </p>
              ${copyable(addCommand, 'the command')}
            </div>`
          : html`<ul class="cards">
              ${projects.map((project) => card(project, active.get(project.id) ?? 0, ports.now()))}
            </ul>`
      }`
    return show(
      context,
      { title: 'Projects', session, live: { stream: '/live/projects', working: projects.some(isSyncing) } },
      body,
    )
  })
}

function card(project: Project, active: number, now: Date) {
  return html`<li class="card">
    <h2><a href="/projects/${project.domain}">${project.domain}</a></h2>
    ${project.isDemo ? badge('demo') : ''}
    <p class="location">${project.location}</p>
    <p>${syncState(project, now)}</p>
    <p class="muted">
      ${count(project.pageCount, 'page')} ·
      ${active === 0 ? 'no job at work' : `${active >= shownActive ? `${shownActive} or more` : active} at work`}
    </p>
  </li>`
}

async function countActive(db: Reader, projectId: string): Promise<number> {
  return (await listJobs(db, projectId, { status: 'active', limit: shownActive })).jobs.length
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}

/** This path is not below /projects/, where every name can be that of a project. */
const path = '/add-project'

export function addProjectEndpoints(ports: DashboardPorts): Endpoint[] {
  return [
    page(ports, path, 'addProject', async ({ context, session }) =>
      respond(context, addPage(session, new URLSearchParams(), undefined)),
    ),
    form(ports, path, 'addProject', async ({ context, session, caller, form }) => {
      try {
        const { project } = await ports.hosts.add(readInput(form), caller)
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
