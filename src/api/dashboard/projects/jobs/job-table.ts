import { html } from 'hono/html'
import type { Job } from '../../../../features/agent/jobs.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import { badge } from '../../html/badge.ts'
import type { Html } from '../../html/html.ts'
import { ago } from '../../html/time.ts'
import { pullRequestLink } from './pull-request-link.ts'

export function jobTable(project: Project, jobs: Job[], now: Date): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Jobs">
    <table>
      <thead>
        <tr>
          <th>Job</th>
          <th>Status</th>
          <th>Pull request</th>
          <th>Created</th>
        </tr>
      </thead>
      <tbody>
        ${jobs.map(
          (job) =>
            html`<tr>
              <td class="wide">
                <a href="/projects/${project.domain}/jobs/${job.id}"
                  >${job.title === '' ? job.id : job.title}</a
                >
              </td>
              <td>${badge(job.status)}</td>
              <td>
                ${job.pullRequest ? html`${pullRequestLink(project, job.pullRequest)} ${badge(job.pullRequest.state)}` : html`<span class="muted">none</span>`}
              </td>
              <td>${ago(job.createdAt, now)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}
