import { html } from 'hono/html'
import { listJobs, type Job } from '../../features/agent/jobs.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Visitor } from '../../api/endpoint.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { icon, type IconName } from '../../api/frame/html/icons.ts'
import { mayOpen } from '../../api/frame/html/may-press.ts'
import { ago } from '../../api/frame/html/parts.ts'
import { shortened } from '../insights/pages/answer-words.ts'
import { counted } from '../../lib/text/counted.ts'
import type { Store } from '../../store/database.ts'
import { listGaps } from '../gaps/table.ts'

interface Waiting {
  sign: IconName
  tone: 'good' | 'bad' | 'busy'
  title: Html | string
  fact: Html | string
  href: string
  action: string
}

const most = { questions: 2, pulls: 3 }
/** Newest jobs that are searched for what waits; a person does not mean to do what is older. */
const within = 200
const longestQuestion = 240

/** What waits for a person, the most urgent first: questions of the agent, pull requests, problems, gaps. */
export async function nextUp(
  { store, now }: { store: Store; now(): Date },
  session: Visitor,
  project: Project,
): Promise<Html> {
  const { db } = store
  const [asking, open, [gap]] = await Promise.all([
    listJobs(db, project.id, { states: ['needs_input'], limit: most.questions, within }),
    listJobs(db, project.id, { states: ['open'], limit: most.pulls, within }),
    listGaps(db, project.id, { days: 30, state: 'open', offset: 0, limit: 1 }),
  ])
  const base = `/projects/${project.domain}`
  const problems = session.waiting?.problems ?? 0
  const waiting: Waiting[] = [
    ...asking.rows.map((job) => questionOf(base, job, now())),
    ...open.rows.flatMap((job) => pullOf(base, job, now())),
    ...(problems === 0 ? [] : [problemsOf(base, problems)]),
    ...(gap === undefined
      ? []
      : [
          {
            sign: 'chat',
            tone: 'busy',
            title: html`Readers ask about “${shortened(gap.name || 'an untitled topic', 100)}”`,
            fact: `${counted(gap.questions, 'question')} without a good answer`,
            href: `${base}/assistant/gaps/${gap.id}`,
            action: 'Show',
          } as const,
        ]),
  ].filter(({ href }) => mayOpen(session, href))
  const [first, ...others] = waiting
  if (first === undefined) return html``
  return html`<section aria-labelledby="next">
    <div class="next-up ${first.sign === 'question' ? 'asks' : ''}">
      <div>
        <h2 id="next">${first.title}</h2>
        <p class="why">${first.fact}</p>
      </div>
      <a class="button primary" href="${first.href}">${first.action}</a>
    </div>
    ${
      others.length === 0
        ? ''
        : html`<ul class="rows">
            ${others.map(row)}
          </ul>`
    }
  </section>`
}

function row({ sign, tone, title, fact, href, action }: Waiting): Html {
  return html`<li>
    ${icon(sign, `is-${tone}`)}
    <div>
      <a class="title" href="${href}">${title}</a>
      <div class="fact">${fact}</div>
    </div>
    <a class="button small" href="${href}" tabindex="-1" aria-hidden="true">${action}</a>
  </li>`
}

function questionOf(base: string, { id, title, question }: Job, now: Date): Waiting {
  return {
    sign: 'question',
    tone: 'busy',
    title: html`The agent has a question about “${shortened(title, 100)}”`,
    fact: question ? html`${shortened(question.text, longestQuestion)} · ${ago(question.askedAt, now)}` : '',
    href: `${base}/jobs/${id}`,
    action: 'Answer',
  }
}

function pullOf(base: string, { title, pullRequest, changes, createdAt }: Job, now: Date): Waiting[] {
  if (!pullRequest) return []
  const files = changes.length
  return [
    {
      sign: 'open',
      tone: 'good',
      title: html`${shortened(title, 120)} <span class="muted">#${pullRequest.number}</span>`,
      fact: html`Pull request${files === 0 ? '' : ` · ${counted(files, 'file')}`} · ${ago(createdAt, now)}`,
      href: `${base}/pulls/${pullRequest.number}`,
      action: 'Review',
    },
  ]
}

function problemsOf(base: string, problems: number): Waiting {
  return {
    sign: 'problem',
    tone: 'bad',
    title: `${counted(problems, 'problem')} on the site`,
    fact: 'Dead links, missing titles and other things that readers run into',
    href: `${base}/problems`,
    action: 'Show',
  }
}
