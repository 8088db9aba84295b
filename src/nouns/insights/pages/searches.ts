import { readWholeNumber } from '../../../lib/whole-number.ts'
import { html } from 'hono/html'
import { listAgentFeedback } from '../../../features/assistant/insights/agent-feedback.ts'
import { searchResults } from '../../../features/assistant/insights/insight-words.ts'
import {
  listSearches,
  type ListedSearch,
  type Range,
} from '../../../features/assistant/insights/list-searches.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { Session } from '../../../features/projects/sign-in.ts'
import { hasUnstorable } from '../../../lib/text/plain-text.ts'
import type { Store } from '../../../store/database.ts'
import type { Endpoint } from '../../../api/endpoint.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { mayOpen } from '../../../api/frame/html/may-press.ts'
import { ago, table } from '../../../api/frame/html/parts.ts'
import type { Pages } from '../../../api/frame/pages.ts'
import { baseOf, showAssistant } from '../../../api/frame/assistant-tab.ts'
import { periodForm, readPeriod } from './period-form.ts'
import { whole } from './answer-words.ts'

interface Ports {
  store: Store
  now(): Date
}

const perPage = 25

const kinds = [
  [undefined, 'all'],
  ['none', 'with no results'],
  ['weak', 'weak'],
] as const

export function listSearchesEndpoint(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage('/projects/{domain}/assistant/searches', 'listSearches', async (visit) => {
    const { context, session, project } = visit
    const period = readPeriod(context)
    const result = searchResults.find((one) => one === context.req.query('result'))
    const typed = (context.req.query('text') ?? '').trim().slice(0, 1000)
    const text = typed === '' || hasUnstorable(typed) ? undefined : typed
    const offset = readWholeNumber(context.req.query('after'), 1_000_000) ?? 0
    const { searches: found, counted } = await listSearches(ports.store.db, project.id, {
      range: period.range,
      result,
      text,
      offset,
      limit: perPage + 1,
    })
    const path = `${baseOf(project)}/searches`
    const kept = { ...(result && { result }), ...(text !== undefined && { text }) }
    const address = (more: Record<string, string>): string =>
      `${path}?${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(period.query)), ...more }).toString()}`
    const body = html`<h1>Searches</h1>
      <p class="muted">
        Searches by readers and agents. Searches the assistant runs to answer questions aren’t included.
        “Weak” means results were only loosely related.
      </p>
      ${periodForm(path, period, kept)}
      <div class="with-button">
        <nav class="filter" aria-label="Result">
          ${kinds.map(
            ([kind, label]) =>
              html`<a
                href="${address({ ...(kind && { result: kind }), ...(text !== undefined && { text }) })}"
                ${kind === result ? html` aria-current="true"` : ''}
                >${label}</a
              >`,
          )}
        </nav>
        <form method="get" action="${path}" class="inline" role="search">
          ${[...new URLSearchParams(period.query), ...(result ? [['result', result]] : [])].map(
            ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
          )}
          <label for="text" class="hidden">Words in the query</label>
          <input id="text" name="text" type="search" value="${typed}" placeholder="Words in the query" />
          <button>Find</button>
        </form>
      </div>
      ${counted === undefined ? '' : html`<p class="muted">Of the newest ${whole(counted)} searches of this time.</p>`}
      ${found.length === 0 ? none(result, text !== undefined || offset > 0) : list(session, project, found.slice(0, perPage), ports.now())}
      ${found.length > perPage ? html`<p><a class="button" href="${address({ ...kept, after: String(offset + perPage) })}">Next page</a></p>` : ''}
      ${offset === 0 && result === undefined && text === undefined ? await agents(ports, project, period.range) : ''}`
    return showAssistant({ ...visit, part: '/searches', title: 'Searches' }, body)
  })
}

function none(result: 'none' | 'weak' | undefined, isNarrow: boolean): Html {
  if (isNarrow) return html`<p class="empty">No such search in this time.</p>`
  if (result === 'none') return html`<p class="empty">Every search found something in this time.</p>`
  if (result === 'weak') return html`<p class="empty">No search was weak in this time.</p>`
  return html`<p class="empty">
    No searches in this period. Searches come from the search of the rendered pages, from
    <a href="/reference#search">the search of the API</a> and from agents.
  </p>`
}

function list(session: Session, project: Project, found: ListedSearch[], now: Date): Html {
  return table(
    'Searches',
    ['Searched for', 'Searches', 'Without result', 'Weak', 'Last', ''],
    found.map(
      ({ query, searches, withoutResult, weak, lastSearchedAt }) =>
        html`<tr>
          <td class="wide">${query}</td>
          <td class="counts">${whole(searches)}</td>
          <td class="counts">
            ${withoutResult === 0 ? '–' : html`<span class="badge bad">${whole(withoutResult)}</span>`}
          </td>
          <td class="counts">${weak === 0 ? '–' : html`<span class="badge busy">${whole(weak)}</span>`}</td>
          <td>${ago(lastSearchedAt, now)}</td>
          <td>${tryLinks(session, project, query)}</td>
        </tr>`,
    ),
  )
}

/** The search of the rendered pages, and the playground. */
function tryLinks(session: Session, project: Project, query: string): Html {
  const search = new URLSearchParams({ q: query }).toString()
  const ask = `${baseOf(project)}/playground?${new URLSearchParams({ question: query }).toString()}`
  return html`<a href="/docs/${project.domain}/?${search}">Search<span class="hidden"> for ${query}</span></a>
    ${mayOpen(session, ask) ? html`· <a href="${ask}">Ask<span class="hidden"> about ${query}</span></a>` : ''}`
}

async function agents({ store }: Ports, project: Project, range: Range): Promise<Html> {
  const ratings = await listAgentFeedback(store.db, project.id, range, 20)
  if (ratings.length === 0) return html``
  return html`<section>
    <h2>Agent feedback</h2>
    <p class="muted">Ratings from agents that use your docs over MCP.</p>
    ${table(
      'Agent feedback',
      ['Rating', 'Of', 'Note', 'When'],
      ratings.map(
        ({ rating, path, query, note, at }) =>
          html`<tr>
            <td>${rating === 'up' ? 'helpful' : 'not helpful'}</td>
            <td>${path === null ? html`search for “${query ?? ''}”` : html`<code>${path}</code>`}</td>
            <td class="wide">${note ?? ''}</td>
            <td>${at.slice(0, 10)}</td>
          </tr>`,
      ),
    )}
  </section>`
}
