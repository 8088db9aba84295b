import { partsNav } from '../../../api/frame/html/inside.ts'
import { inJobs } from '../../../api/frame/jobs-tab.ts'
import { html } from 'hono/html'
import { stateWords, type JobState } from '../../../features/agent/job-state.ts'
import { listJobs } from '../../../features/agent/jobs.ts'
import type { Models } from '../../../integrations/models/model.ts'
import { hasUnstorable } from '../../../lib/text/plain-text.ts'
import type { Store } from '../../../store/database.ts'
import type { Endpoint, RequestContext } from '../../../api/endpoint.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { mayPress } from '../../../api/frame/html/may-press.ts'
import { show } from '../../../api/frame/html/respond.ts'
import { typedInto, type Pages } from '../../../api/frame/pages.ts'
import { projectStream } from '../../../api/live/streams.ts'
import { jobTable } from './job-table.ts'
import { startJob } from './new-job/start-form.ts'

interface Ports {
  models: Models
  store: Store
  now(): Date
}

const pageSize = 25

interface Filter {
  name: string
  word: string
  states: readonly JobState[]
}

/** What lists are filtered by most. */
const groups: readonly Filter[] = [
  { name: 'active', word: 'Active', states: ['queued', 'working', 'waiting'] },
  { name: 'yours', word: 'For you', states: ['needs_input', 'open', 'not_understood', 'nothing_done'] },
  {
    name: 'ended',
    word: 'Ended',
    states: ['merged', 'closed', 'completed', 'no_change', 'failed', 'cancelled'],
  },
]

/** Single states, for those who look for one. */
const single: readonly Filter[] = [
  { name: 'waiting', word: stateWords.waiting, states: ['waiting'] },
  { name: 'needs_input', word: stateWords.needs_input, states: ['needs_input'] },
  { name: 'open', word: stateWords.open, states: ['open'] },
  { name: 'merged', word: stateWords.merged, states: ['merged'] },
  { name: 'closed', word: stateWords.closed, states: ['closed'] },
  { name: 'no_change', word: stateWords.no_change, states: ['no_change', 'completed'] },
  { name: 'not_understood', word: stateWords.not_understood, states: ['not_understood'] },
  { name: 'nothing_done', word: stateWords.nothing_done, states: ['nothing_done'] },
  { name: 'failed', word: stateWords.failed, states: ['failed'] },
  { name: 'cancelled', word: stateWords.cancelled, states: ['cancelled'] },
  { name: 'archived', word: stateWords.archived, states: ['archived'] },
]

const filters = [...groups, ...single]

interface Asked {
  state: string | undefined
  text: string | undefined
  after: string | undefined
}

export function listJobsEndpoint(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage('/projects/{domain}/jobs', 'listJobs', async ({ context, session, project }) => {
    const query = readAsked(context)
    const filter = filters.find(({ name }) => name === query.state)
    const {
      rows: jobs,
      next,
      searched,
    } = await listJobs(ports.store.db, project.id, {
      limit: pageSize,
      states: filter?.states,
      text: query.text,
      cursor: query.after,
    })
    const base = `/projects/${project.domain}/jobs`
    const mayStart = mayPress(session, 'createJob', project)
    const place = inJobs(session, project, 'jobs')
    const body = html`${partsNav('Jobs', place.inside)}
      <div class="heading">
        <h1>Jobs</h1>
        ${mayStart ? html`<a class="button primary start-elsewhere" href="${base}/new">Start job</a>` : ''}
      </div>
      ${mayStart ? startJob(ports, project, session, typedInto(context, base)) : ''}
      <div class="toolbar">
        <nav class="segments" aria-label="State">
          ${filterLink(base, query, undefined, 'All')}${groups.map(({ name, word }) => filterLink(base, query, name, word))}
        </nav>
        <details class="more-states" ${filter !== undefined && single.includes(filter) ? html` open` : ''}>
          <summary>More states</summary>
          <nav class="filter" aria-label="More states">
            ${single.map(({ name, word }) => filterLink(base, query, name, word))}
          </nav>
        </details>
        ${search(base, query)}
      </div>
      ${jobs.length === 0 ? none(base, query, filter?.word, { mayStart, searched }) : jobTable(project, jobs, ports.now())}
      ${pageLinks(base, query, next, searched)}`
    // Without scripts the page does not reload itself, as a member may be writing a prompt.
    const live = { stream: projectStream(project) }
    return show(context, { title: 'Jobs', session, project, ...place, styles: ['jobs.css'], live }, body)
  })
}

// Texts that no row can hold are left out, because the database would reject them.
function readAsked(context: RequestContext): Asked {
  const read = (name: string): string | undefined => {
    const value = context.req.query(name)?.trim().slice(0, 200)
    return value === undefined || value === '' || hasUnstorable(value) ? undefined : value
  }
  // Filters were called by the status once, and such addresses may be bookmarked.
  const wanted = read('state') ?? read('status')
  const state = filters.find(({ name }) => name === wanted)?.name
  return { state, text: read('q'), after: read('after') }
}

function addressOf(base: string, { state, text, after }: Asked): string {
  const query = new URLSearchParams({
    ...(state !== undefined && { state }),
    ...(text !== undefined && { q: text }),
    ...(after !== undefined && { after }),
  })
  return query.size === 0 ? base : `${base}?${query.toString()}`
}

function search(base: string, { state, text }: Asked): Html {
  return html`<form method="get" action="${base}" class="find-jobs" role="search">
    ${state === undefined ? '' : html`<input type="hidden" name="state" value="${state}" />`}
    <label for="find-jobs" class="hidden">Search jobs</label>
    <input
      id="find-jobs"
      type="search"
      name="q"
      value="${text ?? ''}"
      maxlength="200"
      placeholder="Find jobs"
    />
    <button>Find</button>
  </form>`
}

function filterLink(base: string, asked: Asked, name: string | undefined, word: string): Html {
  const isCurrent = asked.state === name
  return html`<a
    href="${addressOf(base, { ...asked, state: name, after: undefined })}"
    ${isCurrent ? html` aria-current="true"` : ''}
    >${word}</a
  >`
}

function none(
  base: string,
  { state, text, after }: Asked,
  word: string | undefined,
  { mayStart, searched }: { mayStart: boolean; searched: number | undefined },
): Html {
  if (after !== undefined && searched === undefined)
    return html`<p class="empty">No older jobs. <a href="${base}">Back to newest</a></p>`
  if (state === undefined && text === undefined)
    return html`<p class="empty">
      No jobs yet.${mayStart ? ' Start a job to open your first pull request.' : ''}
    </p>`
  const some = searched === undefined ? 'No jobs' : `None of these ${searched.toLocaleString('en')} jobs`
  const wanted = [word, text].flatMap((one) => (one === undefined ? [] : `“${one}”`)).join(' and ')
  return html`<p class="empty">
    ${some} match ${wanted}.
    <a href="${base}">Show all</a>
  </p>`
}

function pageLinks(base: string, asked: Asked, next: string | undefined, searched: number | undefined): Html {
  if (next === undefined && asked.after === undefined) return html``
  const newest = html`<a class="button" href="${addressOf(base, { ...asked, after: undefined })}">Newest</a>`
  return html`<nav class="buttons" aria-label="Pages">
    ${asked.after === undefined ? '' : newest}
    ${
      next === undefined
        ? ''
        : html`<a class="button" href="${addressOf(base, { ...asked, after: next })}"
            >${searched === undefined ? 'Older jobs' : `Search ${searched.toLocaleString('en')} older jobs`}</a
          >`
    }
  </nav>`
}
