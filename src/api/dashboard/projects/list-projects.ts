import { html } from 'hono/html'
import { listJobs } from '../../../features/agent/jobs.ts'
import { listProjects } from '../../../features/projects/projects.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { Reader } from '../../../store/database.ts'
import type { Endpoint } from '../../endpoint.ts'
import { badge } from '../html/parts.ts'
import { copyable } from '../html/form.ts'
import { show } from '../html/respond.ts'
import { page } from '../page.ts'
import type { DashboardPorts } from '../ports.ts'
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
    return show(context, { title: 'Projects', session, live: projects.some(isSyncing) }, body)
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
