import { html } from 'hono/html'
import { callers } from '../../../features/assistant/insights/insight-words.ts'
import { listThreads, type ListedThread } from '../../../features/assistant/insights/conversations.ts'
import { answerOutcomes } from '../../../features/assistant/outcome.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { Session } from '../../../features/projects/sign-in.ts'
import { asProblem } from '../../../lib/errors.ts'
import { checkInput, labelledField } from '../../../lib/text/issue-sentence.ts'
import type { Store } from '../../../store/database.ts'
import type { Endpoint, RequestContext } from '../../../api/endpoint.ts'
import { buttonForm, formProblem, textField } from '../../../api/frame/html/form.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { linkFor, mayOpen, mayPress } from '../../../api/frame/html/may-press.ts'
import { ago, table } from '../../../api/frame/html/parts.ts'
import type { Pages } from '../../../api/frame/pages.ts'
import { cursor, filterQuery, cursorOf, positionOf } from '../inputs.ts'
import { filterOf } from '../question-filter.ts'
import { baseOf, showAssistant } from '../../../api/frame/assistant-tab.ts'
import { callerWord, shortened, stateBadge, stateWord, whole } from './answer-words.ts'

interface Ports {
  store: Store
  now(): Date
}

const perPage = 25
const query = filterQuery.extend({ after: cursor })

/** Reads the filter from the query. Empty fields of the form do not filter. */
function readFilter(context: RequestContext): {
  given: URLSearchParams
  asked: Pick<Parameters<typeof listThreads>[2], 'filter' | 'after'>
  problem: string | undefined
} {
  const names = Object.keys(query.shape)
  const form = new URLSearchParams(
    Object.entries(context.req.query())
      .map(([name, value]): [string, string] => [name, value.trim()])
      .filter(([name, value]) => value !== '' && names.includes(name)),
  )
  try {
    const { after, ...filter } = checkInput(query, Object.fromEntries(form), labelledField)
    return { given: form, asked: { filter: filterOf(filter), after: positionOf(after) }, problem: undefined }
  } catch (error) {
    return { given: form, asked: {}, problem: asProblem(error).message.replaceAll('`', '') }
  }
}

export function listConversationsEndpoint(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage('/projects/{domain}/assistant/conversations', 'listThreads', async (visit) => {
    const { context, session, project } = visit
    const { given, asked, problem } = readFilter(context)
    const {
      rows: threads,
      next,
      searched,
    } = await listThreads(ports.store.db, project.id, {
      ...asked,
      limit: perPage,
    })
    const path = `${baseOf(project)}/conversations`
    const filter = new URLSearchParams(given)
    filter.delete('after')
    const older = new URLSearchParams(filter)
    older.set('after', cursorOf(next) ?? '')
    const isFiltered = filter.size > 0
    const body = html`<div class="heading">
        <h1>Conversations</h1>
        ${threads.length === 0 ? '' : exports(project, filter)}
      </div>
      ${filterForm(path, filter, problem)}
      ${threads.length === 0 ? none(session, project, { isFiltered, searched }) : list(path, threads, ports.now())}
      <div class="buttons">
        ${given.has('after') ? html`<a class="button" href="${path}?${filter.toString()}">Newest</a>` : ''}
        ${next ? html`<a class="button" href="${path}?${older.toString()}">${searched === undefined ? 'Older conversations' : `Search the ${whole(searched)} conversations before these`}</a>` : ''}
      </div>
      ${removePerson(project, session, filter.get('fp'))}`
    return showAssistant({ ...visit, part: '/conversations', title: 'Conversations' }, body)
  })
}

function exports(project: Project, filter: URLSearchParams): Html {
  const link = (format: string): string => {
    const parameters = new URLSearchParams(filter)
    parameters.set('format', format)
    return `/v2/insights/${project.id}/export?${parameters.toString()}`
  }
  return html`<div class="buttons">
    <a class="button" href="${link('csv')}" download>Export CSV</a>
    <a class="button" href="${link('jsonl')}" download>Export JSONL</a>
  </div>`
}

function filterForm(path: string, given: URLSearchParams, problem: string | undefined): Html {
  const chosen = (name: string, label: string, options: readonly (readonly [string, string])[]): Html =>
    html`<div>
      <label for="${name}">${label}</label>
      <select id="${name}" name="${name}">
        <option value="">Any</option>
        ${options.map(
          ([value, word]) =>
            html`<option value="${value}" ${given.get(name) === value ? html` selected` : ''}>
              ${word}
            </option>`,
        )}
      </select>
    </div>`
  const field = (name: string, label: string, placeholder = ''): Html =>
    html`<div>${textField({ name, label, placeholder, value: given.get(name) })}</div>`
  const date = (name: string, label: string): Html =>
    html`<div>
      <label for="${name}">${label}</label>
      <input id="${name}" name="${name}" type="date" value="${given.get(name)?.slice(0, 10) ?? ''}" />
    </div>`
  const hasMore = ['page', 'caller', 'fp', 'from', 'to'].some((name) => given.has(name))
  return html`<form method="get" action="${path}" class="card sieve" role="search" aria-label="Conversations">
    <div class="fields">
      ${field('text', 'Words in a question or answer', 'redis')}
      ${chosen(
        'outcome',
        'Outcome',
        answerOutcomes.map((one) => [one, stateWord(one)] as const),
      )}
      ${chosen('rating', 'Rating', [
        ['up', 'helpful'],
        ['down', 'not helpful'],
      ])}
    </div>
    <details data-key="more" ${hasMore ? html` open` : ''}>
      <summary>Page, person, time</summary>
      <div class="fields">
        ${field('page', 'Viewed or cited page', 'guides/install.md')}
        ${chosen(
          'caller',
          'Channel',
          callers.map((one) => [one, callerWord(one)] as const),
        )}
        ${field('fp', 'Person')} ${date('from', 'From')} ${date('to', 'To')}
      </div>
    </details>
    ${formProblem(problem)}
    <div class="buttons">
      <button class="primary">Find</button>
      ${given.size > 0 ? html`<a class="button" href="${path}">All conversations</a>` : ''}
    </div>
  </form>`
}

function none(
  session: Session,
  project: Project,
  { isFiltered, searched }: { isFiltered: boolean; searched: number | undefined },
): Html {
  const playground = `${baseOf(project)}/playground`
  return isFiltered
    ? html`<p class="empty">
        ${searched === undefined ? 'No conversation' : `None of these ${whole(searched)} conversations`} match
        these filters.
      </p>`
    : html`<div class="empty">
        <p>
          No conversations yet. Add the assistant to your site, or call the API with an
          ${linkFor(session, `/projects/${project.domain}/keys`, 'assistant key', 'assistant key')}.
        </p>
        ${
          mayOpen(session, playground)
            ? html`<p>
                Try it yourself in the <a href="${playground}">playground</a>; what you ask there is not
                recorded.
              </p>`
            : ''
        }
      </div>`
}

function list(path: string, threads: ListedThread[], now: Date): Html {
  return table(
    'Conversations',
    ['Newest question', 'Outcome', 'Questions', 'Ratings', 'Asked'],
    threads.map(
      ({ id, lastQuestion, outcome, questions, up, down, updatedAt }) =>
        html`<tr>
          <td class="wide">
            <a href="${path}/${encodeURIComponent(id)}"
              >${shortened(lastQuestion, 160) || 'Question not stored'}</a
            >
          </td>
          <td>${outcome === null ? 'none yet' : stateBadge(outcome)}</td>
          <td class="counts">${whole(questions)}</td>
          <td>${ratings(up, down)}</td>
          <td>${ago(updatedAt, now)}</td>
        </tr>`,
    ),
  )
}

function ratings(up: number, down: number): string {
  const parts = [
    ...(up > 0 ? [`${whole(up)} helpful`] : []),
    ...(down > 0 ? [`${whole(down)} not helpful`] : []),
  ]
  return parts.join(', ') || '–'
}

function removePerson(project: Project, session: Session, fp: string | null): Html {
  if (fp === null || !mayPress(session, 'deleteThreads', project)) return html``
  const shared = fp === 'anonymous'
  return html`<section>
    <details class="create" data-key="remove-person">
      <summary>Delete this reader’s data</summary>
      <p>
        Deletes all questions of <code>${fp}</code> and their answers, ratings, and searches, including those
        outside the current filter. This can’t be undone.
        ${shared ? html`<strong>All readers without an ID share “anonymous”. This deletes data from all of them.</strong>` : ''}
      </p>
      ${buttonForm(session, {
        action: `${baseOf(project)}/people/delete`,
        label: 'Delete reader data',
        kind: 'danger',
        confirm: `Permanently delete all data from ${fp}?`,
        fields: { fp },
      })}
    </details>
  </section>`
}
