import { bytesText } from '../../../lib/text/bytes-text.ts'
import { html } from 'hono/html'
import type { Project } from '../../../features/projects/projects.ts'
import type { Html } from './html.ts'
import { ago, badge } from './parts.ts'
import { progressBar } from './progress.ts'

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
  const why = enrichment?.error ?? enrichment?.notice
  const enriched =
    enrichment === undefined || (enrichment.state === 'ready' && enrichment.notice === undefined)
      ? ''
      : html` <span class="muted"
          >semantic search:
          ${enrichment.state}${enrichment.total === 0 ? '' : `, ${enrichment.done} of ${enrichment.total} sections`}${why === undefined ? '' : `: ${why}`}</span
        >`
  return html`${project.sync.warning === undefined ? badge(state) : badge('warning', 'no pages')}
  ${bar}${when}${commit === undefined || state !== 'ready' ? '' : html` <code class="muted">${commit.slice(0, 8)}</code>`}${enriched}`
}

const phases = ['Queued', 'Cloning', 'Indexing', 'Ready'] as const

/** How far the first read of a repository is: the page stays here, and shows the project when it is done. */
export function firstRead(project: Project): Html {
  const { progress, state } = project.sync
  if (!isSyncing(project) || project.sync.at !== undefined) return html``
  const now = progress === undefined ? (state === 'pending' ? 0 : 1) : /index/i.test(progress.phase) ? 2 : 1
  const bytes = progress?.bytes === undefined ? '' : `, ${bytesText(progress.bytes)}`
  const bar = progress ? { ...progress, phase: `${progress.phase}${bytes}` } : undefined
  return html`<ol class="phases" aria-label="Steps">
      ${phases.map((name, at) => html`<li class="${at < now ? 'done' : at === now ? 'now' : ''}" ${at === now ? html` aria-current="step"` : ''}>${name}</li>`)}
    </ol>
    ${progressBar(phases[now] ?? '', bar ?? { phase: 'Waiting for other projects', done: 0, total: null })}
    <p class="muted">This page updates automatically. You can leave; the sync continues.</p>`
}

/** The page of a project, which says that the repository is read until it was read later than now. */
export function syncAsked(project: Project): string {
  return `/projects/${project.domain}?done=sync&since=${lastRead(project)}`
}

export function lastRead({ sync }: Project): string {
  return String(sync.at?.getTime() ?? 0)
}
