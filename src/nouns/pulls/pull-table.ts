import { html } from 'hono/html'
import type { Project } from '../../features/projects/projects.ts'
import type { PullRequest } from '../../integrations/forges/local/pull-request-detail.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { ago, badge, table } from '../../api/frame/html/parts.ts'

export function pullTable(project: Project, pulls: PullRequest[], now: Date): Html {
  return table(
    'Pull requests',
    ['Number', 'Title', 'State', 'Branch', 'Opened'],
    pulls.map(
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
    ),
    'titles',
  )
}
