import { html } from 'hono/html'
import type { Job } from '../../../../features/agent/jobs.ts'
import { AppError } from '../../../../lib/errors.ts'
import { counts, diffView } from '../../html/diff.ts'
import type { Html } from '../../html/html.ts'
import { problemList } from './problem-list.ts'

/** The files that a job changed. */
export function changes(job: Job): Html {
  if (job.changes.length === 0) return html``
  return html`<section>
    <h2>Changes</h2>
    <ul class="plain">
      ${job.changes.map(
        ({ path, oldPath, status, additions, deletions, kept }) =>
          html`<li>
            <span class="badge">${status}</span>
            <span class="path">${oldPath === null ? path : `${oldPath} → ${path}`}</span>
            ${counts(additions, deletions)}${kept === true ? html` <span class="badge">kept, not published</span>` : ''}
          </li>`,
      )}
    </ul>
  </section>`
}

/** The problems that the last checks of a job found. */
export function checks(job: Job): Html {
  // What was left out stands above. What was not published was not checked as a whole.
  const found = job.checks.filter(({ check }) => job.kept === undefined || check !== 'policy')
  if (found.length === 0)
    return job.changes.length === 0 || job.kept !== undefined
      ? html``
      : html`<section>
          <h2>Checks</h2>
          <p>No new problem was found.</p>
        </section>`
  return html`<section>
    <h2>Checks</h2>
    ${problemList(found)}
  </section>`
}

/** @param diff unified, or why it cannot be shown */
export function diffSection(job: Job, diff: string | AppError | undefined): Html {
  if (diff instanceof AppError) return html`<p class="empty">${diff.message}.</p>`
  if (diff !== undefined && diff !== '') return diffView(diff)
  return html`<p class="empty">
    ${job.status === 'active' || job.question ? 'Nothing is published yet.' : 'The job changed no file.'}
  </p>`
}
