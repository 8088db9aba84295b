import { html } from 'hono/html'
import type { Project } from '../../../features/projects/projects.ts'
import type { Html } from '../html/html.ts'
import { ago, badge } from '../html/parts.ts'

export function isSyncing({ sync }: Project): boolean {
  return sync.state === 'pending' || sync.state === 'syncing'
}

/** The state of the index in one line, with its progress. */
export function syncState(project: Project, now: Date): Html {
  const { state, progress, at, commit } = project.sync
  const bar =
    progress && isSyncing(project)
      ? html`<span class="progress"
          >${progress.phase}
          ${progress.total === null ? html`<span>${progress.done}</span>` : html`<progress max="${progress.total}" value="${progress.done}"></progress> ${progress.done} of ${progress.total}`}</span
        >`
      : ''
  const when = at && state === 'ready' ? html`<span class="muted">${ago(at, now)}</span>` : ''
  const { enrichment } = project
  const enriched =
    enrichment === undefined || enrichment.state === 'ready'
      ? ''
      : html` <span class="muted"
          >search by meaning:
          ${enrichment.state}${enrichment.total === 0 ? '' : `, ${enrichment.done} of ${enrichment.total} sections`}${enrichment.error === undefined ? '' : `: ${enrichment.error}`}</span
        >`
  return html`${project.sync.warning === undefined ? badge(state) : badge('warning', 'no pages')}
  ${bar}${when}${commit === undefined || state !== 'ready' ? '' : html` <code class="muted">${commit.slice(0, 8)}</code>`}${enriched}`
}
