import { html } from 'hono/html'
import { AppError } from '../../../../lib/errors.ts'
import type { Job } from '../../../../features/agent/jobs.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import { badge } from '../../html/parts.ts'
import { counts, diffView } from '../../html/diff.ts'
import type { Html } from '../../html/html.ts'
import { pullRequestLink } from './job-table.ts'

/** Where its changes are looked at; nothing without a pull request. */
export function pullRequestNotice(project: Project, { pullRequest: request, draft }: Job): Html {
  if (!request) return html``
  const told = {
    open: draft ? 'It was opened as a draft.' : 'It waits for a review.',
    merged: 'Its changes are in.',
    closed: 'It was closed without merging. A follow-up opens another one.',
  }
  return html`<p class="notice ${request.state === 'closed' ? 'warning' : ''}">
    Pull request ${pullRequestLink(project, request)} ${badge(request.state)}
    <span class="muted">${told[request.state]}</span>
  </p>`
}

/** The files that it changed. */
export function changes(job: Job): Html {
  if (job.changes.length === 0) return html``
  return html`<section>
    <h2>Changes</h2>
    <ul class="plain">
      ${job.changes.map(
        ({ path, oldPath, status, additions, deletions }) =>
          html`<li>
            <span class="badge">${status}</span>
            <span class="path">${oldPath === null ? path : `${oldPath} → ${path}`}</span>
            ${counts(additions, deletions)}
          </li>`,
      )}
    </ul>
  </section>`
}

/** The problems that are left. */
export function checks(job: Job): Html {
  if (job.checks.length === 0)
    return job.changes.length === 0
      ? html``
      : html`<section>
          <h2>Checks</h2>
          <p>No new problem was found.</p>
        </section>`
  return html`<section>
    <h2>Checks</h2>
    <ul class="plain">
      ${job.checks.map(
        ({ check, path, line, message }) =>
          html`<li>
            <span class="badge bad">${check}</span>
            <span class="path">${path}${line === null ? '' : `:${line}`}</span> ${message}
          </li>`,
      )}
    </ul>
  </section>`
}

/** @param diff unified, or why it cannot be shown */
export function diffSection(job: Job, diff: string | AppError | undefined): Html {
  if (diff instanceof AppError) return html`<p class="empty">${diff.message}.</p>`
  if (diff !== undefined && diff !== '') return diffView(diff)
  return html`<p class="empty">
    ${job.status === 'active' ? 'Nothing is published yet.' : 'The job changed no file.'}
  </p>`
}
