import { html } from 'hono/html'
import type { Job } from '../../../../features/agent/jobs.ts'
import type { Difference } from '../../../../features/agent/workspace/job-work.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import { AppError } from '../../../../lib/errors.ts'
import type { Reviewed } from '../../review/reviewed.ts'
import type { Html } from '../../html/html.ts'
import { problemList } from './problem-list.ts'

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

/** A job's change with what is known about it. */
export function reviewedJob(
  project: Project,
  job: Job,
  { repository, from, to }: Difference,
  reasons: Reviewed['reasons'],
): Reviewed {
  return {
    project,
    repository,
    from,
    to,
    page: `/projects/${project.domain}/jobs/${job.id}`,
    checks: job.checks,
    reasons,
    kept: new Set(job.changes.flatMap(({ path, kept }) => (kept === true ? path : []))),
    images: true,
  }
}

/** @param problem why the change cannot be shown */
export function noChange(job: Job, problem: unknown): Html {
  if (problem instanceof AppError) return html`<p class="empty">${problem.message}.</p>`
  return html`<p class="empty">
    ${job.status === 'active' || job.question ? 'No file is changed yet.' : 'The job changed no file.'}
  </p>`
}
