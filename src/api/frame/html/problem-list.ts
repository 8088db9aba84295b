import { visiblePath } from './visible.ts'
import { html } from 'hono/html'
import type { Job } from '../../../features/agent/jobs.ts'
import type { Html } from './html.ts'

export function problemList(problems: Job['checks']): Html {
  return html`<ul class="plain">
    ${problems.map(
      ({ check, severity, path, line, message }) =>
        html`<li>
          <span class="badge ${severity === 'error' ? 'bad' : ''}">${check}</span>
          <span class="path">${visiblePath(path)}${line === null ? '' : `:${line}`}</span> ${message}
        </li>`,
    )}
  </ul>`
}
