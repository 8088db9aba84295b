import { html } from 'hono/html'
import { findJobsAbout } from '../../../features/agent/find-jobs.ts'
import { findGapOf } from '../../../features/assistant/gaps/gap-of-question.ts'
import { listExchanges, type Exchange } from '../../../features/assistant/insights/conversations.ts'
import { isKept } from '../../../features/assistant/insights/work-of-answer.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { Session } from '../../../features/projects/sign-in.ts'
import { AppError } from '../../../lib/errors.ts'
import { counted } from '../../../lib/text/counted.ts'
import { hasUnstorable } from '../../../lib/text/plain-text.ts'
import type { Store } from '../../../store/database.ts'
import type { Endpoint } from '../../../api/endpoint.ts'
import { buttonForm } from '../../../api/frame/html/form.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { linkButtonFor, linkFor, mayOpen, mayPress } from '../../../api/frame/html/may-press.ts'
import { ago, externalLink } from '../../../api/frame/html/parts.ts'
import type { Pages } from '../../../api/frame/pages.ts'
import type { ReadMarkdown } from '../../../api/render/markdown/read-markdown.ts'
import { renderMarkdown } from '../../../api/render/markdown/render-markdown.ts'
import { cursorOf, positionOf } from '../inputs.ts'
import { baseOf, showAssistant } from '../../../api/frame/assistant-tab.ts'
import {
  questionText,
  callerWord,
  causeWord,
  seconds,
  selectedText,
  shortened,
  stateBadge,
} from './answer-words.ts'

interface Ports {
  store: Store
  now(): Date
  readMarkdown: ReadMarkdown
}

const perPage = 30
const position = /^\d{1,16}\.\d{1,9}\.[\w-]{0,2000}$/

export function showConversationEndpoint(pages: Pages, ports: Ports): Endpoint {
  const path = '/projects/{domain}/assistant/conversations/{thread}'
  return pages.projectPage(path, 'getThread', async (visit) => {
    const { context, session, project } = visit
    const id = context.req.param('thread') ?? ''
    const after = position.exec(context.req.query('after') ?? '')?.[0]
    const missing = new AppError('not_found', 'Conversation not found; it may have been deleted')
    if (hasUnstorable(id)) throw missing
    const { rows: exchanges, next } = await listExchanges(ports.store.db, project.id, {
      filter: { threadId: id },
      after: positionOf(after),
      limit: perPage,
    })
    if (exchanges.length === 0 && after === undefined) throw missing
    const list = `${baseOf(project)}/conversations`
    const jobs = await findJobsAbout(ports.store.db, project.id, id)
    const parts = await Promise.all(
      exchanges.map((one) => exchangePart(ports, session, project, one, jobs.get(one.n))),
    )
    const title = shortened(exchanges[0]?.question ?? '', 100) || 'Conversation'
    const body = html`<p class="trail"><a href="${list}">Conversations</a></p>
      <h1>${title}</h1>
      <p class="muted"><code>${id}</code></p>
      <ol class="exchanges" aria-label="Questions and answers">
        ${parts}
      </ol>
      ${next ? html`<p><a class="button" href="${list}/${encodeURIComponent(id)}?after=${cursorOf(next) ?? ''}">Later questions</a></p>` : ''}
      ${mayPress(session, 'deleteThreads', project) ? deleteForm(session, `${list}/${encodeURIComponent(id)}`) : ''}`
    return showAssistant({ ...visit, part: '/conversations', title }, body)
  })
}

function deleteForm(session: Session, path: string): Html {
  return html`<details class="create" data-key="delete">
    <summary>Delete this conversation</summary>
    <p>Permanently deletes all questions, answers, and ratings in this conversation.</p>
    ${buttonForm(session, { action: `${path}/delete`, label: 'Delete conversation', kind: 'danger' })}
  </details>`
}

async function exchangePart(
  ports: Ports,
  session: Session,
  project: Project,
  one: Exchange,
  job: string | undefined,
): Promise<Html> {
  const { question, context, answer, outcome, cause, missing, sources, replaces } = one
  const isPoor = outcome !== null && ['unanswered', 'weak', 'partial', 'uncited'].includes(outcome)
  const isDisliked = one.feedback.some(({ rating }) => rating === 'down')
  const gap =
    isPoor || isDisliked ? await findGapOf(ports.store.db, project.id, one.threadId, one.n) : undefined
  return html`<li class="exchange" id="q${one.n}">
    <div class="asked">
      <div class="by">
        <h2>Question</h2>
        ${ago(one.askedAt, ports.now())} · ${callerWord(one.caller)} ·
        <a href="${baseOf(project)}/conversations?${new URLSearchParams({ fp: one.fp }).toString()}"
          >${one.fp}</a
        >
        ${one.page === null ? '' : html`· on <code>${one.page}</code>`}
        ${replaces === null ? '' : html`· asked again or edited`}
      </div>
      ${selectedText(context)}
      ${question === '' ? html`<p class="question"><em>This project doesn’t store question text.</em></p>` : questionText(question)}
    </div>
    <div class="answered card">
      <div class="by">
        <h2>Answer</h2>
        ${outcome === null ? 'none yet' : stateBadge(outcome)} ${cause === null ? '' : causeWord(cause)}
        ${one.model === null ? '' : html`· <code>${one.model}</code>`}
        ${one.pinned === null ? '' : html`· ${linkFor(session, `${baseOf(project)}/answers/${one.pinned}`, 'pinned answer', 'pinned answer')}`}
        ${one.milliseconds === null ? '' : html`· ${seconds(one.milliseconds)}`}
      </div>
      ${answer === null || answer === '' ? '' : html`<div class="prose">${await renderMarkdown(ports.readMarkdown, project.id, answer)}</div>`}
      ${missing.length === 0 ? '' : html`<p><strong>Not mentioned in your docs:</strong> ${missing.join(', ')}</p>`}
      ${sourceList(sources)} ${feedbackList(one, ports.now())} ${actions(session, project, one, { gap, job })}
    </div>
  </li>`
}

function sourceList(sources: Exchange['sources']): Html {
  if (sources.length === 0) return html``
  return html`<details class="sources" data-key="sources">
    <summary>${counted(sources.length, 'source')}</summary>
    <ul>
      ${sources.map(
        ({ url, title, words = [] }) =>
          html`<li>
            ${externalLink(url, title)}
            ${words.map((text) => html`<br /><span class="muted">Cited for “${shortened(text, 160)}”</span>`)}
          </li>`,
      )}
    </ul>
  </details>`
}

function feedbackList({ feedback }: Exchange, now: Date): Html {
  if (feedback.length === 0) return html``
  return html`<ul class="ratings" aria-label="Ratings">
    ${feedback.map(
      ({ rating, reason, note, at }) =>
        html`<li>
          <span class="badge ${rating === 'up' ? 'good' : 'bad'}"
            >${rating === 'up' ? 'helpful' : 'not helpful'}</span
          >
          ${reason === null ? '' : reason} ${note === null ? '' : html`<q>${note}</q>`}
          <span class="muted">${ago(new Date(at), now)}</span>
        </li>`,
    )}
  </ul>`
}

/** What to do about an answer: a gap has a job for all of its questions, and any other answer a job of its own. */
function actions(
  session: Session,
  project: Project,
  one: Exchange,
  { gap, job }: { gap: string | undefined; job: string | undefined },
): Html {
  const base = baseOf(project)
  const query = new URLSearchParams({ question: one.question.slice(0, 2000) }).toString()
  const about = new URLSearchParams({ thread: one.threadId, question: String(one.n) }).toString()
  const jobs = `/projects/${project.domain}/jobs`
  return html`<p class="actions">
    ${
      gap === undefined
        ? isKept(one)
          ? linkButtonFor(session, `${jobs}/new?${about}`, 'Improve with a job')
          : ''
        : html`${mayOpen(session, `${jobs}/new`) ? html`<a class="button" href="${base}/gaps/${gap}#write">Write this page</a>` : ''}
            <a href="${base}/gaps/${gap}">The gap it belongs to</a>`
    }
    ${job === undefined ? '' : html`<a href="${jobs}/${job}">The job about it</a>`}
    ${one.question === '' || one.pinned !== null ? '' : linkFor(session, `${base}/answers/new?${new URLSearchParams({ thread: one.threadId, n: String(one.n) }).toString()}`, 'Write the answer')}
    ${one.question === '' ? '' : linkFor(session, `${base}/playground?${query}`, 'Try it again')}
  </p>`
}
