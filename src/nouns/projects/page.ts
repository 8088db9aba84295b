import { html } from 'hono/html'
import { countJobs } from '../../features/agent/find-jobs.ts'
import { countProblems } from '../../features/docs/problems/stored-check.ts'
import { readFirstSteps } from './first-steps/table.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { AddProjectInput } from './setup/add-project.ts'
import type { ProjectHosts } from './setup/project-hosts.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import { parseGiven, settingsChange } from '../../features/projects/settings/schemas.ts'
import { listVisibleProjects } from '../../features/projects/allow.ts'
import type { Models } from '../../integrations/models/model.ts'
import { counted } from '../../lib/text/counted.ts'
import { noteAct } from '../../store/acts.ts'
import type { Store } from '../../store/database.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { copyable } from '../../api/frame/html/form.ts'
import { linkButtonFor, mayOpen } from '../../api/frame/html/may-press.ts'
import { badge } from '../../api/frame/html/parts.ts'
import { respond, show } from '../../api/frame/html/respond.ts'
import type { Pages } from '../../api/frame/pages.ts'
import { fieldOf, withoutSecrets } from '../../api/frame/read-form.ts'
import { organizationFor } from '../../api/organization-for.ts'
import { firstStepsList } from './first-steps/list.ts'
import { addCommand, addPage, addPath, checkPath } from './add-page.ts'
import { locationFor } from './location-for.ts'
import { readCredential, readHostKind, refusalOf } from './project-fields.ts'
import { readSettings } from './setting-fields.ts'
import { isSyncing, syncState } from './sync-state.ts'

interface Ports {
  store: Store
  models: Models
  publicUrl(): string
  /** Logs an error of a page, with its cause. */
  reportError(error: Error, requestId: string): void
  now(): Date
  hosts: ProjectHosts
}

export function listProjectsEndpoints(pages: Pages, ports: Ports): Endpoint[] {
  return [
    pages.browserEndpoint('get', '/', (context) => Promise.resolve(context.redirect('/projects', 303))),
    listProjectsEndpoint(pages, ports),
  ]
}

function listProjectsEndpoint(pages: Pages, ports: Ports): Endpoint {
  return pages.page('/projects', 'listProjects', async ({ context, session, caller }) => {
    const { organization } = session
    const visible = await listVisibleProjects(ports.store.db, caller)
    const projects = visible.filter(({ organizationId }) => organizationId === organization?.id)
    const ids = projects.map(({ id }) => id)
    const [jobs, problems, steps] = await Promise.all([
      countJobs(ports.store.db, ids),
      countProblems(ports.store.db, ids),
      readFirstSteps(ports.store.db, caller, projects, ports.models),
    ])
    const mayAdd = mayOpen(session, addPath)
    const body = html`<div class="heading">
        <h1>Projects</h1>
        ${linkButtonFor(session, addPath, 'Add a project')}
      </div>
      ${organization && session.organizations.length > 1 ? html`<p class="muted">Those of ${organization.name}. The menu with your name has the others.</p>` : ''}
      ${steps.isHidden ? '' : firstStepsList(steps, session)}
      ${
        projects.length === 0 && !mayAdd
          ? html`<p class="empty">There is no project yet. Owners of the organization add them.</p>`
          : projects.length === 0
            ? html`<div class="empty">
                <p>
                  There is no project yet. <a href="/add-project">Add one</a> from a git host, or a folder of
                  the machine that runs Docwright:
                </p>
                ${copyable(addCommand(session), 'the command')}
              </div>`
            : html`<ul class="cards">
                ${projects.map((project) => card(session, project, { ...jobs.get(project.id), problems: problems.get(project.id) }, ports.now()))}
              </ul>`
      }
      ${steps.isHidden ? firstStepsList(steps, session) : ''}`
    const working = projects.some(isSyncing) || projects.some(({ id }) => (jobs.get(id)?.active ?? 0) > 0)
    const live = organization && { stream: '/live/projects', working }
    return show(context, { title: 'Projects', session, styles: ['manage.css'], live }, body)
  })
}

interface Tally {
  active?: number
  pulls?: number
  problems?: number | undefined
}

function card(session: Session, project: Project, { active = 0, pulls = 0, problems }: Tally, now: Date) {
  const base = `/projects/${project.domain}`
  return html`<li class="card">
    <h2><a href="${base}">${project.domain}</a></h2>
    ${project.isDemo ? badge('demo') : ''}
    <p class="location">${locationFor(session, project)}</p>
    <p>${syncState(project, now)}</p>
    <ul class="tallies">
      <li>${counted(project.pageCount, 'page')}</li>
      <li>
        ${active === 0 ? html`<span class="muted">no job at work</span>` : html`<a href="${base}/jobs?state=active">${counted(active, 'job')} at work</a>`}
      </li>
      ${pulls === 0 ? '' : html`<li><a href="${base}/pulls">${counted(pulls, 'open pull request')}</a></li>`}
      ${problems === undefined ? '' : html`<li><a href="${base}/problems">${problems === 0 ? 'no problems' : counted(problems, 'problem')}</a></li>`}
    </ul>
  </li>`
}

export function addProjectEndpoints(pages: Pages, ports: Ports): Endpoint[] {
  return [
    pages.page(addPath, 'addProject', async ({ context, session }) =>
      respond(context, addPage(session, new URLSearchParams(), {})),
    ),
    pages.form(addPath, 'addProject', async ({ context, session, caller, form }) => {
      try {
        const { id: organizationId } = await organizationFor(ports, context, { caller, verb: 'addProject' })
        const { project } = await ports.hosts.add({ ...readInput(form), organizationId }, caller)
        noteAct({ project })
        return context.redirect(`/projects/${project.domain}?done=added`, 303)
      } catch (thrown) {
        const { message, status } = refusalOf(ports, context, thrown)
        return respond(context, addPage(session, withoutSecrets(form), { problem: message }), status)
      }
    }),
    checkForm(pages, ports),
  ]
}

/** Tries what is in the form, without keeping it. */
function checkForm(pages: Pages, ports: Ports): Endpoint {
  return pages.form(checkPath, 'checkRepository', async ({ context, session, caller, form }) => {
    const values = withoutSecrets(form)
    try {
      const { location, ref, fork, host, credential } = readInput(form)
      const act = { caller, verb: 'checkRepository' } as const
      const { id: organizationId } = await organizationFor(ports, context, act)
      const input = { organizationId, location, ref, fork, host, credential }
      const checked = await ports.hosts.tryRepository(input, caller)
      return respond(context, addPage(session, values, { checked }))
    } catch (thrown) {
      const { message, status } = refusalOf(ports, context, thrown)
      return respond(context, addPage(session, values, { problem: message }), status)
    }
  })
}

function readInput(form: URLSearchParams): AddProjectInput {
  const optional = (name: string): string | undefined => fieldOf(form, name) || undefined
  const { visibility, site } = parseGiven(settingsChange, readSettings('general', form, {}))
  return {
    location: fieldOf(form, 'location'),
    domain: optional('domain'),
    ref: optional('ref'),
    root: optional('root'),
    site: site ?? undefined,
    visibility: visibility ?? undefined,
    fork: optional('fork'),
    host: readHostKind(form),
    credential: readCredential(form),
  }
}
