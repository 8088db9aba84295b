import { readWholeNumber } from '../../lib/whole-number.ts'
import { html } from 'hono/html'
import { listGaps, type Gap } from './table.ts'
import { gapStates, usualDays } from './verbs.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import { counted } from '../../lib/text/counted.ts'
import type { Store } from '../../store/database.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { linkFor, mayPress } from '../../api/frame/html/may-press.ts'
import { ago } from '../../api/frame/html/parts.ts'
import type { Pages } from '../../api/frame/pages.ts'
import { baseOf, showAssistant } from '../../api/frame/assistant-tab.ts'
import { gapCauseWord, shortened, stateBadge, stateWord, whole } from '../insights/pages/answer-words.ts'

interface Ports {
  store: Store
  now(): Date
}

const perPage = 20

export function listGapsPage(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage('/projects/{domain}/assistant/gaps', 'listGaps', async (visit) => {
    const { context, session, project } = visit
    const state = gapStates.find((one) => one === context.req.query('state'))
    const offset = readWholeNumber(context.req.query('after'), 1_000_000) ?? 0
    const gaps = await listGaps(ports.store.db, project.id, {
      days: usualDays,
      state,
      offset,
      limit: perPage + 1,
    })
    const path = `${baseOf(project)}/gaps`
    const next = new URLSearchParams({ ...(state && { state }), after: String(offset + perPage) })
    const body = html`<h1>Gaps</h1>
      <p class="muted">
        Topics that your docs don’t answer well, with the most asked in the last ${usualDays} days first.
      </p>
      <nav class="filter" aria-label="State">
        <a href="${path}" ${state === undefined ? html` aria-current="true"` : ''}>All</a>
        ${gapStates.map(
          (one) =>
            html`<a href="${path}?state=${one}" ${one === state ? html` aria-current="true"` : ''}
              >${stateWord(one)}</a
            >`,
        )}
      </nav>
      ${gaps.length === 0 ? none(session, project, state !== undefined || offset > 0) : gapList(session, project, gaps.slice(0, perPage), ports.now())}
      ${gaps.length > perPage ? html`<p><a class="button" href="${path}?${next.toString()}">More gaps</a></p>` : ''}`
    return showAssistant({ ...visit, part: '/gaps', title: 'Gaps' }, body)
  })
}

function none(session: Session, project: Project, isNarrow: boolean): Html {
  if (isNarrow) return html`<p class="empty">No gaps match this filter.</p>`
  if (project.settings.retentionDays === 0)
    return html`<p class="empty">
      This project doesn’t keep readers’ questions, so there is nothing to group. Set how long to keep them in
      the ${linkFor(session, `/projects/${project.domain}/settings/assistant`, 'settings', 'settings')}.
    </p>`
  return html`<div class="empty">
    <p>
      No content gaps yet. Docwright groups unanswered, partly answered, and downvoted questions, plus
      repeated searches with no results, into topics. New gaps appear within a minute.
    </p>
    <p>
      From a gap, start a job that writes the missing content. After its pull request is merged, Docwright
      checks the questions again. See <a href="${baseOf(project)}/conversations">Conversations</a> for all
      questions so far.
    </p>
  </div>`
}

export function gapList(session: Session, project: Project, gaps: readonly Gap[], now: Date): Html {
  const mayWrite = mayPress(session, 'createGapJob', project)
  return html`<ol class="gaps">
    ${gaps.map((gap) => item(project, gap, mayWrite, now))}
  </ol>`
}

function item(project: Project, gap: Gap, mayWrite: boolean, now: Date): Html {
  const { id, name, state, trend, lastAskedAt, examples, job } = gap
  const path = `${baseOf(project)}/gaps/${id}`
  return html`<li class="gap card">
    <div class="gap-head">
      <h2><a href="${path}">${name || 'Untitled topic'}</a></h2>
      ${stateBadge(state)}
    </div>
    <p class="meta">
      <strong>${counted(trend.now, 'question')} in ${usualDays} days</strong>
      ${trendWords(trend)}
      <span class="muted">${askedWords(gap)}</span>
      <span class="muted">last asked ${ago(lastAskedAt, now)}</span>
    </p>
    ${examples[0] === undefined || examples[0] === name ? '' : html`<p class="example">“${shortened(examples[0], 200)}”</p>`}
    <p class="actions">
      ${
        mayWrite && (state === 'open' || state === 'still_open')
          ? html`<a class="button" href="${path}#write"
              >Write this page<span class="hidden">: ${name}</span></a
            >`
          : job
            ? html`<a href="/projects/${project.domain}/jobs/${job.id}">The job</a>`
            : ''
      }
      <span class="muted">${causesOf(gap)}</span>
    </p>
  </li>`
}

export function askedWords({ questions, askers }: Gap): string {
  // Clients need not say who asks.
  return askers === 0
    ? `${whole(questions)} in total`
    : `${whole(questions)} in total, from ${counted(askers, 'reader', 'readers')}`
}

/** Whether more is asked than before, as a word beside the arrow. */
export function trendWords({ now, before }: Gap['trend']): Html {
  const difference = now - before
  if (before === 0) return html`<span class="badge">${now === 0 ? 'Not asked lately' : 'New'}</span>`
  if (difference === 0) return html`<span class="badge">As before</span>`
  return difference > 0
    ? html`<span class="badge bad">▲ ${whole(difference)} more than before</span>`
    : html`<span class="badge good">▼ ${whole(-difference)} fewer than before</span>`
}

export function causesOf({ causes }: Gap): string {
  return Object.entries(causes)
    .filter(([, number]) => number > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([cause, number]) => `${whole(number)} ${gapCauseWord(cause)}`)
    .join(', ')
}
