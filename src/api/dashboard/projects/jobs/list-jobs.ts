import { html } from 'hono/html'
import { hasUnstorable } from '../../../../lib/plain-text.ts'
import { listJobs } from '../../../../features/agent/jobs.ts'
import type { JobStatus } from '../../../../features/agent/jobs.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { csrfField } from '../../html/form.ts'
import type { Html } from '../../html/html.ts'
import { show } from '../../html/respond.ts'
import { projectPage } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'
import { jobTable } from './job-table.ts'

const statuses = ['active', 'completed', 'failed', 'archived'] as const satisfies JobStatus[]

export function listJobsEndpoint(ports: DashboardPorts): Endpoint {
  return projectPage(ports, '/projects/{domain}/jobs', 'listJobs', async ({ context, session, project }) => {
    const status = statuses.find((name) => name === context.req.query('status'))
    const after = context.req.query('after')
    const cursor = after === undefined || hasUnstorable(after) ? undefined : after
    const { jobs, nextCursor } = await listJobs(ports.store.db, project.id, { limit: 25, status, cursor })
    const base = `/projects/${project.domain}/jobs`
    const next = new URLSearchParams({ ...(status && { status }), after: nextCursor ?? '' })
    const body = html`<h1>Jobs</h1>
      ${newJob(project, session)}
      <nav class="filter" aria-label="Status">
        ${filter(base, undefined, status)}${statuses.map((name) => filter(base, name, status))}
      </nav>
      ${
        jobs.length === 0
          ? html`<p class="empty">
              ${status === undefined ? 'No job yet. Say above what the documentation needs.' : `No job is ${status}.`}
            </p>`
          : jobTable(project, jobs, ports.now())
      }
      ${nextCursor === undefined ? '' : html`<p><a class="button" href="${base}?${next.toString()}">Older jobs</a></p>`}`
    const live = jobs.some((job) => job.status === 'active')
    return show(context, { title: 'Jobs', session, project, tab: 'jobs', live }, body)
  })
}

function filter(base: string, status: JobStatus | undefined, current: JobStatus | undefined): Html {
  const href = status === undefined ? base : `${base}?status=${status}`
  return html`<a href="${href}" ${status === current ? html` aria-current="true"` : ''}
    >${status ?? 'all'}</a
  >`
}

function newJob(project: Project, session: Session): Html {
  return html`<form method="post" action="/projects/${project.domain}/jobs" class="stack card">
    ${csrfField(session)}
    <label for="prompt">What should change?</label>
    <textarea
      id="prompt"
      name="prompt"
      rows="3"
      required
      maxlength="100000"
      placeholder="Fix broken links in guides/"
    ></textarea>
    <details data-key="options">
      <summary>Options</summary>
      <div class="stack">
        <label for="base">Branch to start from</label>
        <input
          id="base"
          name="base"
          maxlength="250"
          placeholder="${project.ref}"
          autocomplete="off"
          spellcheck="false"
        />
        <label class="check"
          ><input type="checkbox" name="draft" value="yes" /> Open the pull request as a draft</label
        >
      </div>
    </details>
    <button class="primary">Start job</button>
  </form>`
}
