import { html } from 'hono/html'
import { baseOf, showAssistant } from '../../api/frame/assistant-tab.ts'
import { shortened, stateBadge, whole } from '../insights/pages/answer-words.ts'
import type { Endpoint, RequestContext } from '../../api/endpoint.ts'
import { buttonForm, csrfField } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { linkButtonFor, linkFor, mayOpen, mayPress } from '../../api/frame/html/may-press.ts'
import { ago, table } from '../../api/frame/html/parts.ts'
import { typedInto, type Pages, type Visit } from '../../api/frame/pages.ts'
import { fieldOf } from '../../api/frame/read-form.ts'
import type { ReadMarkdown } from '../../api/render/markdown/read-markdown.ts'
import { renderMarkdown } from '../../api/render/markdown/render-markdown.ts'
import { listExchanges } from '../../features/assistant/insights/conversations.ts'
import {
  getPinnedAnswer,
  listPinnedAnswers,
  type PinnedAnswer,
} from '../../features/assistant/pinned/pinned-answers.ts'
import { listWeakAnswers, type WeakAnswer } from '../../features/assistant/pinned/weak-answers.ts'
import { oneSpelling } from '../../features/docs/search/spelling.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import { counted } from '../../lib/text/counted.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import { readWholeNumber } from '../../lib/whole-number.ts'
import type { Store } from '../../store/database.ts'
import { verbFields, verbForm } from '../../verbs/form.ts'
import * as deeds from './run.ts'
import { pinAnswer } from './verbs.ts'

interface Ports {
  store: Store
  now(): Date
  readMarkdown: ReadMarkdown
}

const path = '/projects/{domain}/assistant/answers'
const one = `${path}/{pinned}`
const mostWeak = 20

/** Weak answers, and those that the team wrote instead. */
export function pinnedAnswerPages(pages: Pages, ports: Ports): Endpoint[] {
  const write = writePage(pages, ports)
  const change = changePage(pages, ports)
  const idIn = ({ context }: Visit): { pinned: string } => ({ pinned: context.req.param('pinned') ?? '' })
  const typed = { only: ['answer'], required: ['answer'] } as const
  // A question holds commas and spaces, so that each line is one.
  const reads = ({ form }: { form: URLSearchParams }): { questions: string[] } => ({
    questions: linesOf(fieldOf(form, 'questions')),
  })
  const listAgain =
    (done: string) =>
    ({ context, project }: Visit & { project: Project }): Response =>
      context.redirect(`${baseOf(project)}/answers?done=${done}`, 303)
  return [
    listPage(pages, ports),
    write,
    change,
    verbForm(pages, ports, `${path}/new`, deeds.pinAnswer, {
      typed,
      reads,
      shownOn: write,
      given: () => ({}),
      done: listAgain('answer-pinned'),
    }),
    verbForm(pages, ports, one, deeds.changePinnedAnswer, {
      typed,
      reads,
      shownOn: change,
      given: idIn,
      done: listAgain('answer-changed'),
    }),
    verbForm(pages, ports, `${one}/remove`, deeds.unpinAnswer, {
      given: idIn,
      done: listAgain('answer-removed'),
    }),
  ]
}

function listPage(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage(path, 'listWeakAnswers', async (visit) => {
    const { session, project } = visit
    const { db } = ports.store
    const now = ports.now()
    const weak = await listWeakAnswers(db, project.id, { limit: mostWeak, spelling: oneSpelling })
    const pinned = await listPinnedAnswers(db, project.id)
    const body = html`<div class="heading">
        <h1>Answers</h1>
        ${linkButtonFor(session, `${baseOf(project)}/answers/new`, 'Pin an answer')}
      </div>
      <p class="muted">
        Write the answer to a question yourself. Readers who ask it, in any spelling, get your answer at once.
        It names the docs team and the date.
      </p>
      <section>
        <h2>Weak answers</h2>
        ${weak.length === 0 ? noneWeak(session, project) : weakTable(session, project, weak, now)}
      </section>
      <section>
        <h2>Pinned answers</h2>
        ${
          pinned.length === 0
            ? html`<p class="empty">No pinned answers yet. Write one for a question above.</p>`
            : pinnedTable(project, pinned, now)
        }
      </section>`
    return showAssistant({ ...visit, part: '/answers', title: 'Answers' }, body)
  })
}

function noneWeak(session: Session, project: Project): Html {
  if (project.settings.retentionDays === 0)
    return html`<p class="empty">
      This project doesn’t store question text. Change that in the
      ${linkFor(session, `/projects/${project.domain}/settings/assistant`, 'assistant settings', 'assistant settings')}.
    </p>`
  return html`<p class="empty">
    No weak answers. Questions appear here when they are unanswered, partly answered, or rated down.
  </p>`
}

function weakTable(session: Session, project: Project, answers: readonly WeakAnswer[], now: Date): Html {
  const base = baseOf(project)
  const mayPin = mayPress(session, 'pinAnswer', project)
  return table(
    'Weak answers',
    ['Question', 'Outcome', 'Asked', 'Last', ''],
    answers.map(({ question, outcome, threadId, n, times, down, askedAt }) => {
      const about = new URLSearchParams({ thread: threadId, n: String(n) }).toString()
      return html`<tr>
        <td class="wide">
          <a href="${base}/conversations/${encodeURIComponent(threadId)}#q${n}"
            >${shortened(question, 240)}</a
          >
        </td>
        <td>
          ${stateBadge(outcome)}
          ${down === 0 ? '' : html`<br /><small class="muted">${whole(down)} rated down</small>`}
        </td>
        <td class="counts">${counted(times, 'time')}</td>
        <td>${ago(askedAt, now)}</td>
        <td>
          ${
            mayPin
              ? html`<a class="button" href="${base}/answers/new?${about}"
                  >Write answer<span class="hidden">: ${shortened(question, 80)}</span></a
                >`
              : ''
          }
        </td>
      </tr>`
    }),
    'entries',
  )
}

function pinnedTable(project: Project, pinned: readonly PinnedAnswer[], now: Date): Html {
  return table(
    'Pinned answers',
    ['Question', 'Used', 'Author', 'Changed'],
    pinned.map(
      ({ id, questions, answer, uses, author, changedBy, changedAt }) =>
        html`<tr>
          <td class="wide">
            <a href="${baseOf(project)}/answers/${id}">${questions[0] ?? id}</a>
            ${questions.length > 1 ? html` <small class="muted">and ${counted(questions.length - 1, 'other wording')}</small>` : ''}
            <br /><small class="muted">${shortened(answer, 160)}</small>
          </td>
          <td class="counts">${counted(uses, 'time')}</td>
          <td>${author?.name ?? 'unknown'}</td>
          <td>
            ${ago(changedAt, now)}
            ${changedBy !== null && changedBy.name !== author?.name ? html`<br /><small class="muted">${changedBy.name}</small>` : ''}
          </td>
        </tr>`,
    ),
    'entries',
  )
}

function writePage(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage(`${path}/new`, 'pinAnswer', async (visit) => {
    const { context, session, project } = visit
    const base = baseOf(project)
    const about = await answerAbout(ports, project, context)
    const action = `${base}/answers/new`
    const typed = typedInto(context, action)
    if (typed.size === 0) typed.set('questions', about?.question ?? '')
    const body = html`<p class="trail"><a href="${base}/answers">Answers</a></p>
      <h1>Pin an answer</h1>
      ${
        about?.answer
          ? html`<details class="create" data-key="before">
              <summary>What the assistant answered</summary>
              <div class="prose card">
                ${await renderMarkdown(ports.readMarkdown, project.id, about.answer)}
              </div>
            </details>`
          : ''
      }
      ${answerForm(session, action, typed, 'Pin answer')}`
    return showAssistant({ ...visit, part: '/answers', title: 'Pin an answer' }, body)
  })
}

/** The answer that the link of the list names, if it is still there. */
async function answerAbout(
  { store }: Ports,
  project: Project,
  context: RequestContext,
): Promise<{ question: string; answer: string | null } | undefined> {
  const threadId = context.req.query('thread') ?? ''
  const n = readWholeNumber(context.req.query('n'), 1_000_000)
  if (threadId === '' || n === undefined || hasUnstorable(threadId)) return undefined
  const { rows } = await listExchanges(store.db, project.id, { filter: { threadId, n }, limit: 1 })
  const [found] = rows
  return found && { question: found.question.replaceAll(/\s+/g, ' ').trim(), answer: found.answer }
}

function changePage(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage(one, 'listPinnedAnswers', async (visit) => {
    const { context, session, project } = visit
    const base = baseOf(project)
    const pinned = await getPinnedAnswer(ports.store.db, project.id, context.req.param('pinned') ?? '')
    const now = ports.now()
    const { id, questions, answer, author, changedBy, uses, lastUsedAt } = pinned
    const action = `${base}/answers/${id}`
    const typed = typedInto(context, action)
    if (typed.size === 0) {
      typed.set('questions', questions.join('\n'))
      typed.set('answer', answer)
    }
    const playground = `${base}/playground?${new URLSearchParams({ question: questions[0] ?? '' }).toString()}`
    const title = shortened(questions[0] ?? 'Pinned answer', 100)
    const body = html`<p class="trail"><a href="${base}/answers">Answers</a></p>
      <div class="heading">
        <h1>${title}</h1>
        <div class="buttons">
          ${linkButtonFor(session, playground, 'Try it')}
          ${buttonForm(session, {
            action: `${action}/remove`,
            label: 'Remove',
            kind: 'danger',
            confirm: 'Remove this pinned answer? The assistant answers from your docs again.',
          })}
        </div>
      </div>
      <p class="meta">
        <span>Written by ${author?.name ?? 'unknown'} ${ago(pinned.createdAt, now)}</span>
        <span>Changed by ${changedBy?.name ?? 'unknown'} ${ago(pinned.changedAt, now)}</span>
        <span
          >Used
          ${counted(uses, 'time')}${lastUsedAt === null ? '' : html`, last ${ago(lastUsedAt, now)}`}</span
        >
      </p>
      <div class="prose card">${await renderMarkdown(ports.readMarkdown, project.id, answer)}</div>
      ${
        mayOpen(session, `${base}/answers/new`)
          ? html`<section>
              <h2>Change it</h2>
              ${answerForm(session, action, typed, 'Save answer')}
            </section>`
          : ''
      }`
    return showAssistant({ ...visit, part: '/answers', title }, body)
  })
}

function answerForm(session: Session, action: string, typed: URLSearchParams, label: string): Html {
  return html`<form method="post" action="${action}" class="stack card" data-stay="Saving…">
    ${csrfField(session)}
    <label for="questions">Questions <span class="muted">(one per line)</span></label>
    <textarea
      id="questions"
      name="questions"
      rows="3"
      required
      aria-describedby="questions-hint"
      placeholder="Is there a limit on file size?"
    >
${typed.get('questions') ?? ''}</textarea>
    <p class="muted" id="questions-hint">
      Other ways to ask go on lines of their own. Spelling, word order, and filler words don’t matter.
    </p>
    ${verbFields(pinAnswer, { only: ['answer'], required: ['answer'], typed })}
    <p class="muted">Markdown. Links to pages of these docs become sources. Other links are shown as text.</p>
    <button class="primary">${label}</button>
  </form>`
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
