import { html } from 'hono/html'
import { asProblem } from '../../../../lib/errors.ts'
import { hasUnstorable } from '../../../../lib/plain-text.ts'
import { listEvents } from '../../../../features/agent/events.ts'
import { jobDiff } from '../../../../features/agent/job-diff.ts'
import { getJob } from '../../../../features/agent/jobs.ts'
import type { Job } from '../../../../features/agent/jobs.ts'
import { listTurnRemarks } from '../../../../features/agent/turns/turn-remarks.ts'
import { listTurns } from '../../../../features/agent/turns/turns.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { notFound } from '../../../errors.ts'
import { ago, badge } from '../../html/parts.ts'
import { buttonForm, csrfField } from '../../html/form.ts'
import type { Html } from '../../html/html.ts'
import { show } from '../../html/respond.ts'
import { projectPage } from '../../page.ts'
import type { PagePorts } from '../../ports.ts'
import { changes, checks, diffSection, pullRequestNotice } from './job-outcome.ts'
import { turnList } from './turn-list.ts'

const maximumEvents = 1000

export function showJobEndpoint(ports: PagePorts): Endpoint {
  return projectPage(
    ports,
    '/projects/{domain}/jobs/{id}',
    'getJob',
    async ({ context, session, project }) => {
      const { db } = ports.store
      const id = context.req.param('id') ?? ''
      const job = hasUnstorable(id) ? undefined : await getJob(db, project.id, id)
      if (!job) throw notFound('job', id)
      const turns = await listTurns(db, project.id, id)
      const events = await listEvents(db, project.id, id, { after: 0, limit: maximumEvents })
      const open = (commits: readonly string[]) => ports.mirror(project, commits)
      const remarks = await listTurnRemarks(db, project.id, id)
      // A host that is away, or that has deleted the branch, is no reason not to show the job.
      const diff = await jobDiff(db, { id: project.id, open }, id).catch(asProblem)
      const now = ports.now()
      const body = html`<p class="trail"><a href="/projects/${project.domain}/jobs">Jobs</a></p>
        <div class="heading">
          <h1>${job.title === '' ? 'Job' : job.title}</h1>
          ${buttons(project, session, job)}
        </div>
        <p class="meta">
          ${badge(job.status)} <span>created ${ago(job.createdAt, now)}</span>
          <span>model <code>${job.model}</code></span>
        </p>
        ${pullRequestNotice(project, job)}
        ${job.failure ? html`<p class="${job.status === 'failed' ? 'failure' : 'notice'}"><strong>${job.status === 'failed' ? 'Failed' : 'Note'} (${job.failure.code}).</strong> ${job.failure.message}</p>` : ''}
        <section>
          <h2>Prompts</h2>
          ${turnList({ read: ports.readMarkdown, projectId: project.id }, turns, { events, remarks }, now)}
        </section>
        ${job.status === 'archived' ? html`<p class="empty">The job is archived and takes no more prompts. <a href="/projects/${project.domain}/jobs">Start another</a>.</p>` : followUp(project, session, job)}
        ${changes(job)} ${checks(job)}
        <section>
          <h2>Diff</h2>
          ${diffSection(job, diff)}
        </section>
        <section>
          <h2>Details</h2>
          <dl class="facts">
            <div>
              <dt>Id</dt>
              <dd><code>${job.id}</code></dd>
            </div>
            <div>
              <dt>Branch</dt>
              <dd><code>${job.branch}</code> from <code>${job.base}</code></dd>
            </div>
            <div>
              <dt>Tokens</dt>
              <dd>
                ${job.usage.inputTokens.toLocaleString('en')} in,
                ${job.usage.outputTokens.toLocaleString('en')} out
              </dd>
            </div>
          </dl>
        </section>`
      return show(
        context,
        {
          title: job.title === '' ? 'Job' : job.title,
          session,
          project,
          tab: 'jobs',
          live: job.status === 'active',
        },
        body,
      )
    },
  )
}

function buttons(project: Project, session: Session, job: Job): Html {
  const base = `/projects/${project.domain}/jobs/${job.id}`
  const cancel = buttonForm(session, {
    action: `${base}/cancel`,
    label: 'Cancel',
    confirm: 'Cancel this job? The prompt at work ends as failed and those behind it are dropped.',
  })
  const archive = buttonForm(session, {
    action: `${base}/archive`,
    label: 'Archive',
    confirm: 'Archive this job? It stops and takes no more prompts. Its pull request stays as it is.',
  })
  return html`<div class="buttons">
    ${job.status === 'active' ? cancel : ''}${job.status === 'archived' ? '' : archive}
  </div>`
}

function followUp(project: Project, session: Session, job: Job): Html {
  return html`<form
    method="post"
    action="/projects/${project.domain}/jobs/${job.id}/message"
    class="stack card"
  >
    ${csrfField(session)}
    <label for="prompt">Follow up</label>
    <textarea
      id="prompt"
      name="prompt"
      rows="3"
      required
      maxlength="100000"
      placeholder="Say what should be different"
    ></textarea>
    <button class="primary">Send</button>
    ${job.status === 'active' ? html`<p class="muted">It waits its turn behind the prompts above.</p>` : ''}
  </form>`
}
