import { html } from 'hono/html'
import type { Job } from '../../../../features/agent/jobs.ts'
import type { Turn } from '../../../../features/agent/turns.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Html } from '../../html/html.ts'
import { ago, badge, table } from '../../html/parts.ts'

export function jobTable(project: Project, jobs: Job[], now: Date): Html {
  return table(
    'Jobs',
    ['Job', 'Status', 'Pull request', 'Created'],
    jobs.map(
      (job) =>
        html`<tr>
          <td class="wide">
            <a href="/projects/${project.domain}/jobs/${job.id}">${job.title === '' ? job.id : job.title}</a>
          </td>
          <td>${statusBadge(job)}</td>
          <td>
            ${job.pullRequest ? html`${pullRequestLink(project, job.pullRequest)} ${badge(job.pullRequest.state)}` : html`<span class="muted">none</span>`}
          </td>
          <td>${ago(job.createdAt, now)}</td>
        </tr>`,
    ),
  )
}

/** Says beside the status what came of a job, so that one that changed nothing does not look like a success. */
export function statusBadge({
  status,
  outcome,
  waiting,
}: Pick<Job | Turn, 'status' | 'outcome'> & Pick<Job, 'waiting'>): Html {
  if (waiting) return badge('waiting')
  const isPlain = status === 'archived' || outcome === undefined || outcome === 'changed'
  return badge(isPlain ? status : outcome.replace('_', ' '))
}

/** Links to the dashboard's own page; a host's own is linked there. */
export function pullRequestLink(project: Project, request: NonNullable<Job['pullRequest']>): Html {
  return html`<a href="/projects/${project.domain}/pulls/${request.number}">#${request.number}</a>`
}
