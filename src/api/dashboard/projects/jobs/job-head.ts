import { html } from 'hono/html'
import type { Job } from '../../../../features/agent/jobs.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import { buttonForm } from '../../../frame/html/form.ts'
import type { Html } from '../../../frame/html/html.ts'
import { badge } from '../../../frame/html/parts.ts'
import { pullRequestLink } from './job-table.ts'

/** Cancel and archive. */
export function buttons(project: Project, session: Session, job: Job): Html {
  const base = `/projects/${project.domain}/jobs/${job.id}`
  const cancel = buttonForm(session, {
    action: `${base}/cancel`,
    label: 'Cancel',
    confirm: 'Cancel this job? The current prompt fails and queued follow-ups are discarded.',
  })
  const archive = buttonForm(session, {
    action: `${base}/archive`,
    label: 'Archive',
    confirm: 'Archive this job? It stops and can’t be reopened. Its pull request isn’t affected.',
  })
  return html`<div class="buttons">
    ${job.status === 'active' ? cancel : ''}${job.status === 'archived' ? '' : archive}
  </div>`
}

/** Links to the pull request of a job; empty without one. */
export function pullRequestNotice(project: Project, job: Job): Html {
  const { pullRequest: request } = job
  if (!request) return html``
  const sentences = {
    open: tellOpen(job),
    merged: 'Changes merged.',
    closed: 'Closed without merging. A follow-up opens a new pull request.',
  }
  const isOpen = request.state === 'open'
  return html`<div class="notice with-button ${request.state === 'closed' ? 'warning' : ''}">
    <span>
      ${pullRequestLink(project, request)} ${badge(request.state)}
      <span class="muted">${sentences[request.state]}</span>
    </span>
    ${isOpen ? html`<a class="button primary" href="/projects/${project.domain}/pulls/${request.number}">Review and merge</a>` : ''}
  </div>`
}

function tellOpen({ status, kept, checks: found, draft, draftForChecks }: Job): string {
  if (status === 'active') return 'The job is still running.'
  const what = draft || draftForChecks ? 'Opened as a draft' : 'Ready for review'
  if (kept) return `${what}. Some changes are not published yet.`
  const isBad = found.some(({ severity }) => severity === 'error')
  return isBad ? `${what}. The description lists the problems that checks found.` : `${what}.`
}
