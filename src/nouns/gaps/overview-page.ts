import { html } from 'hono/html'
import { listGaps } from './table.ts'
import type { Analytics } from '../../features/assistant/insights/analytics.ts'
import {
  listThreads,
  type ListedThread,
  type Position,
} from '../../features/assistant/insights/conversations.ts'
import { readQuotedAnswers, type QuotedAnswers } from '../../features/assistant/insights/quoted-answers.ts'
import type { RecentAnalytics } from '../../features/assistant/insights/recent-analytics.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import type { Store } from '../../store/database.ts'
import type { Page } from '../../store/in-index-order.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { linkButtonFor, linkFor, mayOpen } from '../../api/frame/html/may-press.ts'
import { ago } from '../../api/frame/html/parts.ts'
import type { Pages } from '../../api/frame/pages.ts'
import { cursorOf } from '../insights/inputs.ts'
import { baseOf, showAssistant } from '../../api/frame/assistant-tab.ts'
import { outcomeChart } from '../insights/pages/usage-charts.ts'
import { gapList } from './list-page.ts'
import { onceEach } from './once-each.ts'
import { dollars, share, shortened, stateBadge, whole } from '../insights/pages/answer-words.ts'

interface Ports {
  store: Store
  now(): Date
  analytics: RecentAnalytics
}

const days = 30
const mostGaps = 5
const mostConversations = 5
/** Of which those are shown that were asked in other words. */
const mostLookedAt = 25

export function assistantOverviewEndpoint(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage('/projects/{domain}/assistant', 'getInsights', async (visit) => {
    const { session, project } = visit
    const { db } = ports.store
    // Both times at once: counting is what takes long.
    const to = new Date()
    to.setUTCHours(24, 0, 0, 0)
    const range = { from: new Date(to.getTime() - 2 * days * 86_400_000), to }
    const { series } = await ports.analytics.read(project.id, { range, interval: 'day' })
    const [before, now] = [series.slice(0, days), series.slice(days)]
    const base = baseOf(project)
    const gaps = await listGaps(db, project.id, { days, state: 'open', offset: 0, limit: mostGaps })
    const disliked = await newest(ports, project, { rating: 'down' })
    const unanswered = await newest(ports, project, { outcome: 'unanswered' })
    const isQuiet = sum(series, (one) => one.questions + one.searches.total) === 0
    const body = isQuiet
      ? html`<h1>Assistant</h1>
          ${welcome(session, project)}`
      : html`<div class="heading">
            <h1>Assistant</h1>
            ${linkButtonFor(session, `${base}/playground`, 'Try a question')}
          </div>
          ${quotedNote(session, project, await readQuotedAnswers(db, project.id))}
          <p class="muted">Last ${days} days compared with the previous ${days} days</p>
          ${numbers(base, now, before)}
          <section>
            <h2>Suggested actions</h2>
            ${
              gaps.length === 0
                ? html`<p class="empty">
                    No open content gaps. <a href="${base}/gaps">All gaps</a> shows those that are in work or
                    closed.
                  </p>`
                : html`${gapList(session, project, gaps, ports.now())}
                    <p><a href="${base}/gaps">All gaps</a></p>`
            }
          </section>
          <div class="pair">
            ${conversations(base, 'Answers rated down', 'rating=down', disliked, ports.now())}
            ${conversations(base, 'Unanswered questions', 'outcome=unanswered', unanswered, ports.now())}
          </div>
          <section>${outcomeChart(now, 'day')}</section>`
    return showAssistant({ ...visit, part: '', title: 'Assistant' }, body)
  })
}

/** Tells that readers get no answers of the model; why, only to those who can change it. */
function quotedNote(session: Session, { domain }: Project, found: QuotedAnswers | undefined): Html {
  if (!found) return html``
  const settings = `/projects/${domain}/settings`
  const { quoted, of, because } = found
  return html`<div class="notice warning" role="alert">
    <p>
      The assistant only quoted the documentation in ${quoted} of its last ${of} answers, because its model
      gave none${mayOpen(session, settings) ? `: ${because}` : ''}.
    </p>
    <p>${linkFor(session, settings, 'Settings')}</p>
  </div>`
}

type Series = Analytics['series']

function sum(series: Series, of: (one: Series[number]) => number): number {
  return series.reduce((total, one) => total + of(one), 0)
}

function numbers(base: string, now: Series, before: Series): Html {
  const answered = (series: Series): string => {
    const good = sum(series, ({ outcomes }) => outcomes.answered)
    const poor = sum(
      series,
      ({ outcomes }) => outcomes.partial + outcomes.weak + outcomes.unanswered + outcomes.uncited,
    )
    return share(good, good + poor)
  }
  const helpful = (series: Series): string => {
    const up = sum(series, ({ feedback }) => feedback.up)
    return share(up, up + sum(series, ({ feedback }) => feedback.down))
  }
  const cost = (series: Series): string =>
    dollars(sum(series, ({ usage }) => usage.reduce((all, used) => all + (used.cost ?? 0), 0)))
  const failed = (series: Series): string => whole(sum(series, ({ searches }) => searches.withoutResult))
  const questions = (series: Series): string => whole(sum(series, (one) => one.questions))
  const number = (path: string, label: string, of: (series: Series) => string): Html =>
    html`<div class="card">
      <dt><a href="${base}${path}">${label}</a></dt>
      <dd><strong>${of(now)}</strong> <span class="muted">before: ${of(before)}</span></dd>
    </div>`
  return html`<dl class="numbers">
    ${number('/conversations', 'Questions', questions)}
    ${number('/conversations?outcome=unanswered', 'Answered from the documentation', answered)}
    ${number('/conversations?rating=down', 'Rated helpful', helpful)}
    ${number('/searches?result=none', 'Searches with no results', failed)}
    ${number('/use', 'Model cost', cost)}
  </dl>`
}

async function newest(
  { store }: Ports,
  project: Project,
  filter: { rating: 'down' } | { outcome: 'unanswered' },
): Promise<Page<ListedThread, Position>> {
  return listThreads(store.db, project.id, { filter, limit: mostLookedAt })
}

function conversations(
  base: string,
  title: string,
  query: string,
  { rows: threads, next, searched }: Page<ListedThread, Position>,
  now: Date,
): Html {
  const all = `${base}/conversations?${query}`
  const older = `${all}&after=${cursorOf(next) ?? ''}`
  return html`<section>
    <h2>${title}</h2>
    ${
      threads.length === 0
        ? html`<p class="empty">
            ${
              searched === undefined
                ? 'None.'
                : html`None in the newest ${whole(searched)} conversations.
                    <a href="${older}">Search those before them</a>`
            }
          </p>`
        : html`<ul class="plain lines">
              ${onceEach(threads, ({ lastQuestion }) => lastQuestion)
                .slice(0, mostConversations)
                .map(
                  ({ entry: { id, lastQuestion, outcome, updatedAt } }) =>
                    html`<li>
                      <a href="${base}/conversations/${encodeURIComponent(id)}"
                        >${shortened(lastQuestion, 120) || 'Question not stored'}</a
                      >
                      <span class="muted"
                        >${outcome === null ? '' : stateBadge(outcome)} ${ago(updatedAt, now)}</span
                      >
                    </li>`,
                )}
            </ul>
            <p><a href="${all}">View all</a></p>`
    }
  </section>`
}

function welcome(session: Session, project: Project): Html {
  const [playground, widget] = [`${baseOf(project)}/playground`, `/projects/${project.domain}/widget`]
  return html`<div class="empty">
      <p>
        No questions or searches yet. Once readers start asking, you’ll see what they ask, what your docs
        don’t answer, and what to write next.
      </p>
    </div>
    <ol class="steps">
      ${
        mayOpen(session, playground)
          ? html`<li>
              <strong>Try it.</strong> Ask a question in the <a href="${playground}">playground</a> and see
              which sections the answer comes from.
            </li>`
          : ''
      }
      <li>
        <strong>Add it to your site.</strong> One script in your pages
        ${linkFor(session, widget, 'puts the assistant on your site', 'puts the assistant on your site; owners see it in the settings')}.
        A chat of your own can use the <a href="/reference">API</a>.
      </li>
      <li>
        <strong>Review the results</strong> in a few days: questions without a good answer are grouped into
        <a href="${baseOf(project)}/gaps">gaps</a>, and the agent writes the pages that are missing.
      </li>
    </ol>`
}
