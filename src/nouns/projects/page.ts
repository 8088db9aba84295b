import { html } from 'hono/html'
import { countJobs } from '../../features/agent/find-jobs.ts'
import { countProblems } from '../../features/docs/problems/stored-check.ts'
import { readFirstSteps } from './first-steps/table.ts'
import type { Project } from '../../features/projects/projects.ts'
import { listVisibleProjects } from '../../features/projects/allow.ts'
import type { Models } from '../../integrations/models/model.ts'
import { counted } from '../../lib/text/counted.ts'
import type { Store } from '../../store/database.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { copyable } from '../../api/frame/html/form.ts'
import { linkButtonFor, mayOpen } from '../../api/frame/html/may-press.ts'
import { badge } from '../../api/frame/html/parts.ts'
import { respond, show } from '../../api/frame/html/respond.ts'
import type { Pages } from '../../api/frame/pages.ts'
import { withoutSecrets } from '../../api/frame/read-form.ts'
import { firstStepsList } from './first-steps/list.ts'
import { addCommand, addPage, addPath, checkPath } from './add-page.ts'
import { locationFor } from '../../api/frame/html/location-for.ts'
import { readCredential } from '../../api/frame/credential-fields.ts'
import type { ProjectPorts } from './present-project.ts'
import { addProject, checkRepository } from './run.ts'
import { serverForm } from '../../verbs/form.ts'
import { secretsOf } from '../../verbs/verb.ts'
import { readSettings } from '../../verbs/setting-fields.ts'
import { isSyncing, syncState } from '../../api/frame/html/sync-state.ts'

interface Ports {
  store: Store
  models: Models
  now(): Date
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
        ${linkButtonFor(session, addPath, 'Add project')}
      </div>
      ${organization && session.organizations.length > 1 ? html`<p class="muted">Showing projects in ${organization.name}. Switch organizations from the account menu.</p>` : ''}
      ${steps.isHidden ? '' : firstStepsList(steps, session)}
      ${
        projects.length === 0 && !mayAdd
          ? html`<p class="empty">No projects yet. Ask an organization owner to add one.</p>`
          : projects.length === 0
            ? html`<div class="empty">
                <p>
                  No projects yet. <a href="/add-project">Add a project</a> from a git host, or add a folder
                  on the server:
                </p>
                ${copyable(addCommand(session), 'the command')}
              </div>`
            : html`<ul class="cards">
                ${projects.map((project) => card(project, { ...jobs.get(project.id), problems: problems.get(project.id) }, ports.now()))}
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

function card(project: Project, { active = 0, pulls = 0, problems }: Tally, now: Date) {
  const base = `/projects/${project.domain}`
  return html`<li class="card">
    <h2><a href="${base}">${project.domain}</a></h2>
    ${project.isDemo ? badge('demo') : ''}
    <p class="location">${locationFor(project)}</p>
    <p>${syncState(project, now)}</p>
    <ul class="tallies">
      <li>${counted(project.pageCount, 'page')}</li>
      <li>
        ${active === 0 ? html`<span class="muted">No active jobs</span>` : html`<a href="${base}/jobs?state=active">${counted(active, 'job')} active</a>`}
      </li>
      ${pulls === 0 ? '' : html`<li><a href="${base}/pulls">${counted(pulls, 'open pull request')}</a></li>`}
      ${problems === undefined ? '' : html`<li><a href="${base}/problems">${problems === 0 ? 'no problems' : counted(problems, 'problem')}</a></li>`}
    </ul>
  </li>`
}

const typed = { only: ['location', 'ref', 'fork', 'host'], required: ['location'] } as const

/** The page that adds a project. Its second button tries what is typed, without keeping it. */
export function addProjectEndpoints(pages: Pages, ports: ProjectPorts): Endpoint[] {
  const page = pages.page(addPath, 'addProject', async ({ context, session }) => {
    // A link to this page may fill in its fields.
    const { values = new URL(context.req.url).searchParams, message } = context.get('refused') ?? {}
    return respond(context, addPage(session, values, { problem: message }))
  })
  return [
    page,
    serverForm(pages, ports, addPath, addProject, {
      typed: { only: [...typed.only, 'domain', 'root'], required: typed.required },
      shownOn: page,
      reads: ({ form }) => readGeneral(form),
      given: ({ form }) => ({ credential: readCredential(form) }),
      done: ({ context }, { domain }) => context.redirect(`/projects/${domain}?done=added`, 303),
    }),
    serverForm(pages, ports, checkPath, checkRepository, {
      typed,
      shownOn: page,
      given: ({ form }) => ({ credential: readCredential(form) }),
      done: ({ context, session, form }, checked) =>
        respond(
          context,
          addPage(session, withoutSecrets(form, secretsOf(checkRepository.verb)), { checked }),
        ),
    }),
  ]
}

/** The settings that a new project may be given. */
function readGeneral(form: URLSearchParams): Record<string, unknown> {
  const settings = Object.entries(readSettings('general', form, {}))
  return Object.fromEntries(settings.filter(([, value]) => value !== null))
}
