import { html } from 'hono/html'
import { addMessage, publishKept } from '../../../../features/agent/add-message.ts'
import { approve } from '../../../../features/agent/approve.ts'
import { archiveJob } from '../../../../features/agent/archive-job.ts'
import { cancelJob } from '../../../../features/agent/cancel-job.ts'
import { createJob } from '../../../../features/agent/create-job.ts'
import { listJobs, type Job, type JobStatus } from '../../../../features/agent/jobs.ts'
import { nameOf, type Caller } from '../../../../features/projects/allow.ts'
import { allowAlways } from '../../../../features/projects/change-settings.ts'
import { limits, countLimits } from '../../../../features/projects/limits.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import { AppError } from '../../../../lib/errors.ts'
import { hasUnstorable } from '../../../../lib/plain-text.ts'
import { checkBox, csrfField } from '../../html/form.ts'
import type { Html } from '../../html/html.ts'
import { show } from '../../html/respond.ts'
import { projectForm, projectPage, typedInto } from '../../page.ts'
import type { DashboardPorts, PagePorts } from '../../ports.ts'
import { showJobEndpoint } from './show-job.ts'
import { fieldOf } from '../../read-form.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { notFound } from '../../../errors.ts'
import { jobTable } from './job-table.ts'
import { projectStream } from '../../live/streams.ts'

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
      ${newJob(project, session, typedInto(context, base))}
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
    const working = jobs.some((job) => job.status === 'active')
    const live = { stream: projectStream(project), working }
    return show(context, { title: 'Jobs', session, project, tab: 'jobs', live }, body)
  })
}

function filter(base: string, status: JobStatus | undefined, current: JobStatus | undefined): Html {
  const href = status === undefined ? base : `${base}?status=${status}`
  return html`<a href="${href}" ${status === current ? html` aria-current="true"` : ''}
    >${status ?? 'all'}</a
  >`
}

function newJob(project: Project, session: Session, typed: URLSearchParams): Html {
  return html`<form
    method="post"
    action="/projects/${project.domain}/jobs"
    class="stack card"
    data-stay="Starting…"
  >
    ${csrfField(session)}
    <label for="prompt">What should change?</label>
    <textarea
      id="prompt"
      name="prompt"
      rows="3"
      required
      maxlength="100000"
      placeholder="Fix broken links in guides/"
    >
${typed.get('prompt') ?? ''}</textarea>
    <details data-key="options" ${typed.get('base') || typed.has('draft') ? html` open` : ''}>
      <summary>Options</summary>
      <div class="stack">
        <label for="base">Branch to start from</label>
        <input
          id="base"
          name="base"
          maxlength="250"
          placeholder="${project.ref}"
          value="${typed.get('base') ?? ''}"
          autocomplete="off"
          spellcheck="false"
        />
        ${checkBox('draft', 'yes', typed.has('draft'), 'Open the pull request as a draft')}
      </div>
    </details>
    <button class="primary">Start job</button>
  </form>`
}

/** The forms of jobs. They count against the same limits as requests to the API. */
export function jobForms(ports: PagePorts): Endpoint[] {
  return [
    projectForm(
      ports,
      '/projects/{domain}/jobs',
      'createJob',
      async ({ context, project, form }) => {
        const base = fieldOf(form, 'base')
        const input = {
          prompt: readPrompt(form),
          base: base === '' ? undefined : base,
          draft: form.get('draft') === 'yes',
        }
        const job = await createJob(ports, project, input, (tx) =>
          countLimits(tx, [{ limit: limits.jobCreate, subject: project.id }]),
        )
        return context.redirect(`/projects/${project.domain}/jobs/${job.id}`, 303)
      },
      listJobsEndpoint(ports),
    ),
    action(ports, ['sendMessage', 'message', 'message'], (project, id, form) =>
      addMessage(ports, project, id, { prompt: readPrompt(form) }, (tx) =>
        countLimits(tx, [{ limit: limits.jobMessage, subject: project.id }]),
      ),
    ),
    action(ports, ['publishJob', 'publish', 'publishing'], (project, id) =>
      publishKept(ports, project, id, (tx) =>
        countLimits(tx, [{ limit: limits.jobMessage, subject: project.id }]),
      ),
    ),
    action(ports, ['approve', 'approve', 'allowed'], (project, id, form, caller) => {
      const kind = fieldOf(form, 'kind') === 'import' ? ('import' as const) : ('host' as const)
      const approval = { kind, value: fieldOf(form, 'value') }
      return approve(
        ports,
        project,
        id,
        { ...approval, by: nameOf(caller) },
        (tx) => countLimits(tx, [{ limit: limits.jobMessage, subject: project.id }]),
        async (tx) => (form.get('always') === 'yes' ? allowAlways(tx, project.id, approval) : undefined),
      )
    }),
    action(ports, ['cancelJob', 'cancel', 'cancelled'], (project, id) => cancelJob(ports.store, project, id)),
    action(ports, ['archiveJob', 'archive', 'archived'], (project, id) =>
      archiveJob(ports.store, project, id),
    ),
  ]
}

/** A form of a job's page, which leads back to that page. */
function action(
  ports: PagePorts,
  [verb, path, done]: [
    'sendMessage' | 'publishJob' | 'approve' | 'cancelJob' | 'archiveJob',
    path: string,
    done: string,
  ],
  act: (project: Project, id: string, form: URLSearchParams, caller: Caller) => Promise<Job | undefined>,
): Endpoint {
  return projectForm(
    ports,
    `/projects/{domain}/jobs/{id}/${path}`,
    verb,
    async ({ context, caller, project, form }) => {
      const id = context.req.param('id') ?? ''
      const job = hasUnstorable(id) ? undefined : await act(project, id, form, caller)
      if (!job) throw notFound('job', id)
      return context.redirect(`/projects/${project.domain}/jobs/${job.id}?done=${done}`, 303)
    },
    showJobEndpoint(ports),
  )
}

/** @throws AppError `invalid` by the same rule as the API */
function readPrompt(form: URLSearchParams): string {
  const prompt = fieldOf(form, 'prompt')
  if (prompt === '') throw new AppError('invalid', 'The prompt is empty; say what should change')
  if (prompt.length > 100_000)
    throw new AppError('invalid', 'The prompt is longer than 100,000 characters; shorten it')
  return prompt
}
