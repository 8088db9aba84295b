import { html } from 'hono/html'
import type { Job } from '../../../features/agent/jobs.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { ago, table } from '../../../api/frame/html/parts.ts'
import { askerName } from './asker.ts'
import { stateBadge } from './state-badge.ts'

export function jobTable(project: Project, jobs: Job[], now: Date): Html {
  return table(
    'Jobs',
    ['Job', 'State', 'Started by', 'Created'],
    jobs.map(
      (job) =>
        html`<tr id="row-${job.id}">
          <td class="wide">
            <a href="/projects/${project.domain}/jobs/${job.id}">${job.title === '' ? job.id : job.title}</a>
            ${job.gapId === undefined ? '' : html`<span class="badge">Content gap</span>`}
          </td>
          <td>
            ${stateBadge(job.state)} ${job.pullRequest ? pullRequestLink(project, job.pullRequest, '') : ''}
          </td>
          <td class="name">${askerName(job.createdBy)}</td>
          <td>${ago(job.createdAt, now)}</td>
        </tr>`,
    ),
    'titles',
  )
}

/** Links to the dashboard's own page; a host's own is linked there. */
export function pullRequestLink(
  project: Project,
  { number }: NonNullable<Job['pullRequest']>,
  words = 'Pull request ',
): Html {
  return html`<a href="/projects/${project.domain}/pulls/${number}">${words}#${number}</a>`
}
