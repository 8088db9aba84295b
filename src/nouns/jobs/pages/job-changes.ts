import { html } from 'hono/html'
import type { Job } from '../../../features/agent/jobs.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { problemList } from '../../../api/frame/html/problem-list.ts'

/** The problems that the last checks of a job found. */
export function checks(job: Job): Html {
  // Policy problems of unpublished changes are listed above. Such changes were not checked as a whole.
  const problems = job.checks.filter(
    ({ check }) => check !== 'look' && (job.kept === undefined || check !== 'policy'),
  )
  if (problems.length === 0)
    return job.changes.length === 0 || job.kept !== undefined
      ? html``
      : html`<section>
          <h2>Checks</h2>
          <p>No new problems</p>
        </section>`
  return html`<section>
    <h2>Checks</h2>
    ${problemList(problems)}
  </section>`
}

/** @param problem why the change cannot be shown */
export function noChange(job: Job, problem: unknown): Html {
  if (problem instanceof AppError) return html`<p class="empty">${problem.message}.</p>`
  return html`<p class="empty">
    ${job.status === 'active' || job.question ? 'No changes yet.' : 'This job made no changes.'}
  </p>`
}
