import { html } from 'hono/html'
import type { Project } from '../../../../features/projects/projects.ts'
import { badge } from '../../html/badge.ts'
import type { Html } from '../../html/html.ts'
import { ago } from '../../html/time.ts'
import type { PullRequest } from '../../ports.ts'

export function pullTable(project: Project, pulls: PullRequest[], now: Date): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Pull requests">
    <table>
      <thead>
        <tr>
          <th>Number</th>
          <th>Title</th>
          <th>State</th>
          <th>Branch</th>
          <th>Opened</th>
        </tr>
      </thead>
      <tbody>
        ${pulls.map(
          (pull) =>
            html`<tr>
              <td>#${pull.number}</td>
              <td class="wide">
                <a href="/projects/${project.domain}/pulls/${pull.number}">${pull.title}</a>
              </td>
              <td>${badge(pull.state)}${pull.draft ? html` ${badge('draft')}` : ''}</td>
              <td><code>${pull.head}</code></td>
              <td>${ago(pull.createdAt, now)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}
