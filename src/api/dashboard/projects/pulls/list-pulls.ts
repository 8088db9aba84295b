import { html } from 'hono/html'
import type { Endpoint } from '../../../endpoint.ts'
import { layout } from '../../html/layout.ts'
import { respond } from '../../html/respond.ts'
import { page, projectOf } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'
import { pullTable } from './pull-table.ts'

export function listPullsEndpoint(ports: DashboardPorts): Endpoint {
  return page(ports, '/projects/{domain}/pulls', async ({ context, session }) => {
    const project = await projectOf(ports, context)
    const pulls = await ports.pullRequests.list(project, { limit: 200 })
    const body = html`<h1>Pull requests</h1>
      ${
        pulls.length === 0
          ? html`<p class="empty">
              None yet. <a href="/projects/${project.domain}/jobs">Start a job</a>: when it changes files, it
              opens one here.
            </p>`
          : pullTable(project, pulls, ports.now())
      }`
    return respond(context, layout({ title: 'Pull requests', session, project, tab: 'pulls' }, body))
  })
}
