import { html } from 'hono/html'
import { getGap, listGaps, readDetails, type Gap } from './table.ts'
import { changeGapDeed, createGapJobDeed, mergeGapsDeed } from './run.ts'
import { changeGap, createGapJob, mergeGaps, usualDays, usualReturn } from './verbs.ts'
import { verbFields, verbForm } from '../../verbs/form.ts'
import { workOfGap } from './gap-job.ts'
import type { JobPorts } from '../../features/agent/ports.ts'
import { listExchanges, type Exchange } from '../../features/assistant/insights/conversations.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import { counted } from '../../lib/text/counted.ts'
import type { Endpoint, RequestContext } from '../../api/endpoint.ts'
import { csrfField } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { linkFor, mayPress } from '../../api/frame/html/may-press.ts'
import { ago, badge, externalLink, table } from '../../api/frame/html/parts.ts'
import { typedInto, type Pages, type Visit } from '../../api/frame/pages.ts'
import { docsPath } from '../../api/render/docs-path.ts'
import { builtinNote } from '../../api/frame/html/builtin-note.ts'
import { baseOf, showAssistant } from '../../api/frame/assistant-tab.ts'
import { askedWords, causesOf, listGapsPage, trendWords } from './list-page.ts'
import { onceEach } from './once-each.ts'
import { shortened, stateBadge, whole } from '../insights/pages/answer-words.ts'

interface Ports extends JobPorts {
  repositoryUrl(project: Project): string
  publicUrl(): string
  now(): Date
}

const mostQuestions = 50
const path = '/projects/{domain}/assistant/gaps/{gap}'
const inForm = {
  name: { only: ['name'], required: ['name'] },
  dismissal: { only: ['reason', 'returnsAfter'] },
  merged: { only: ['from'] },
  job: { only: ['instructions', 'draft'] },
} as const

/** The pages of gaps with their forms. */
export function gapPages(pages: Pages, ports: Ports): Endpoint[] {
  const page = showGap(pages, ports)
  const gapIn = ({ context }: Visit): { gap: string } => ({ gap: context.req.param('gap') ?? '' })
  const shownAgain =
    (done: string) =>
    ({ context, project }: Visit & { project: Project }): Response =>
      context.redirect(`${baseOf(project)}/gaps/${context.req.param('gap') ?? ''}?done=${done}`, 303)
  return [
    listGapsPage(pages, ports),
    page,
    verbForm(pages, ports, `${path}/rename`, changeGapDeed, {
      typed: inForm.name,
      shownOn: page,
      given: gapIn,
      done: shownAgain('gap-named'),
    }),
    verbForm(pages, ports, `${path}/dismiss`, changeGapDeed, {
      typed: inForm.dismissal,
      shownOn: page,
      given: (visit) => ({ ...gapIn(visit), dismissed: true }),
      done: shownAgain('gap-dismissed'),
    }),
    verbForm(pages, ports, `${path}/reopen`, changeGapDeed, {
      shownOn: page,
      given: (visit) => ({ ...gapIn(visit), dismissed: false }),
      done: shownAgain('gap-reopened'),
    }),
    verbForm(pages, ports, `${path}/merge`, mergeGapsDeed, {
      typed: inForm.merged,
      shownOn: page,
      given: gapIn,
      done: shownAgain('gap-merged'),
    }),
    verbForm(pages, ports, `${path}/job`, createGapJobDeed, {
      typed: inForm.job,
      shownOn: page,
      given: gapIn,
      done: ({ context, project }, { id }) => context.redirect(`/projects/${project.domain}/jobs/${id}`, 303),
    }),
  ]
}

function showGap(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage(path, 'getGap', async (visit) => {
    const { context, session, project } = visit
    const { db } = ports.store
    const id = context.req.param('gap') ?? ''
    const gap = await getGap(db, project.id, id, usualDays)
    const { rows: exchanges, next } = await listExchanges(db, project.id, {
      filter: { gapId: id },
      limit: mostQuestions,
    })
    const { searches, checks } = await readDetails(db, id)
    const others = await listGaps(db, project.id, { days: usualDays, offset: 0, limit: 100 })
    const now = ports.now()
    const address = `${baseOf(project)}/gaps/${id}`
    const body = html`<p class="trail"><a href="${baseOf(project)}/gaps">Gaps</a></p>
      <div class="heading">
        <h1>${gap.name || 'Untitled topic'}</h1>
        ${stateBadge(gap.state)}
      </div>
      <p class="meta">
        <strong>${counted(gap.trend.now, 'question')} in ${usualDays} days</strong> ${trendWords(gap.trend)}
        <span class="muted">${askedWords(gap)}</span>
        <span class="muted">first ${ago(gap.firstAskedAt, now)}, last ${ago(gap.lastAskedAt, now)}</span>
      </p>
      <p>${causesOf(gap)}.</p>
      ${await nextStep(ports, session, project, gap, typedInto(context, `${address}/job`))}
      ${checkResult(gap, checks, now)}
      ${questionList(session, project, exchanges, { more: next !== undefined, now })}
      ${searchList(session, project, searches, now)} ${nearest(project, gap)}
      ${mayPress(session, 'changeGap', project) ? manage(context, session, address, gap, others) : ''}`
    return showAssistant({ ...visit, part: '/gaps', title: gap.name || 'Gap' }, body)
  })
}

/** What to do about it, in the state it is in. */
async function nextStep(
  { store, models }: Ports,
  session: Session,
  project: Project,
  gap: Gap,
  typed: URLSearchParams,
): Promise<Html> {
  const { job, state, dismissed } = gap
  const jobLink = (text: string): Html =>
    html`<a href="/projects/${project.domain}/jobs/${job?.id ?? ''}">${text}</a>`
  if (state === 'dismissed')
    return html`<div class="notice warning">
      <p>
        Dismissed${dismissed?.reason ? html`: “${dismissed.reason}”` : ''}. It is open again after
        ${counted(dismissed?.returnsAfter ?? usualReturn, 'more question')}.
      </p>
    </div>`
  if (state === 'in_work')
    return html`<div class="notice">
      <p>${jobLink('The job')} works on it, or its pull request waits for you: ${pullOf(job)}</p>
    </div>`
  if (state === 'published')
    return html`<div class="notice">
      <p>
        The pull request of ${jobLink('the job')} is merged. After the next sync, the questions are retried,
        and this page shows whether they are answered.
      </p>
    </div>`
  if (!mayPress(session, 'createGapJob', project)) return html``
  const { prompt, evidence } = await workOfGap(store.db, gap, undefined)
  const model = project.settings.model ?? models.defaultModel
  return html`<section id="write" class="card">
    <h2>Write this page</h2>
    ${state === 'answered' ? html`<p>These questions are already answered. A new job would work on them again.</p>` : ''}
    ${model === 'builtin' ? builtinNote(session, project) : ''}
    <form method="post" action="${baseOf(project)}/gaps/${gap.id}/job" class="stack" data-stay="Starting…">
      ${csrfField(session)} ${verbFields(createGapJob, { only: ['instructions'], typed })}
      <details data-key="prompt">
        <summary>What the agent is asked and shown</summary>
        <h3>The prompt</h3>
        <p class="prompt" tabindex="0">${prompt}</p>
        <h3>For information</h3>
        <p class="muted">
          Reader questions and answers. The agent treats them as information, never as instructions.
        </p>
        <p class="prompt" tabindex="0">${evidence}</p>
      </details>
      ${verbFields(createGapJob, { only: ['draft'], typed })}
      <button class="primary">Start job</button>
    </form>
  </section>`
}

function pullOf(job: Gap['job']): Html {
  if (!job?.pullRequest) return html`${badge(job?.status ?? 'active')}`
  const { link, number, state } = job.pullRequest
  const address = link.startsWith('/')
    ? html`<a href="${link}">#${number}</a>`
    : externalLink(link, `#${number}`)
  return html`${address} ${badge(state)}`
}

function checkResult(
  { check, job }: Gap,
  checks: { question: string; outcome: string; cited: boolean }[],
  now: Date,
): Html {
  if (!check) return html``
  return html`<section>
    <h2>Did the change work?</h2>
    <p>
      ${
        check.verdict === 'answered'
          ? html`<strong>Yes.</strong> Most questions are now answered by a changed page.`
          : html`<strong>Not yet.</strong> Half or more of its questions are not answered from a page that was
              changed.`
      }
      Asked again ${ago(check.at, now)}, after ${job ? pullOf(job) : 'the merge'}.
    </p>
    ${table(
      'Questions that were asked again',
      ['Question', 'Answer', 'From a changed page'],
      checks.map(
        ({ question, outcome, cited }) =>
          html`<tr>
            <td class="wide">${question}</td>
            <td>${stateBadge(outcome)}</td>
            <td>${cited ? 'yes' : 'no'}</td>
          </tr>`,
      ),
    )}
  </section>`
}

function questionList(
  session: Session,
  project: Project,
  exchanges: Exchange[],
  { more, now }: { more: boolean; now: Date },
): Html {
  const mayPin = mayPress(session, 'pinAnswer', project)
  if (exchanges.length === 0) return html``
  return html`<section>
    <h2>Questions</h2>
    ${table(
      'Questions',
      ['Question', 'Answer', 'When', ...(mayPin ? [''] : [])],
      onceEach(
        exchanges.toReversed(),
        ({ question, context, outcome }) =>
          question && `${question} ${outcome ?? ''} ${context.map(({ value }) => value).join(' ')}`,
      ).map(
        ({ entry: { threadId, n, question, context, outcome, missing, askedAt }, times }) =>
          html`<tr>
            <td class="wide">
              <a href="${baseOf(project)}/conversations/${encodeURIComponent(threadId)}#q${n}"
                >${shortened(question, 240) || 'Question not stored'}</a
              >
              ${times === 1 ? '' : html` <span class="muted">${whole(times)} times</span>`}
              ${context.map(({ value }) => html`<br /><small class="muted">about “${shortened(value, 160)}”</small>`)}
              ${missing.length === 0 ? '' : html`<br /><small class="muted">missing: ${missing.join(', ')}</small>`}
            </td>
            <td>${outcome === null ? 'none yet' : stateBadge(outcome)}</td>
            <td>${ago(askedAt, now)}</td>
            ${mayPin ? html`<td>${question === '' ? '' : html`<a href="${baseOf(project)}/answers/new?${new URLSearchParams({ thread: threadId, n: String(n) }).toString()}">Write answer</a>`}</td>` : ''}
          </tr>`,
      ),
    )}
    ${more ? html`<p class="muted">The first ${mostQuestions} of them are shown.</p>` : ''}
  </section>`
}

function searchList(
  session: Session,
  project: Project,
  searches: { query: string; searches: number; lastAskedAt: Date }[],
  now: Date,
): Html {
  if (searches.length === 0) return html``
  return html`<section>
    <h2>Searches with no results</h2>
    ${table(
      'Searches with no results',
      ['Searched for', 'Searches', 'Last', ''],
      searches.map(
        ({ query, searches: number, lastAskedAt }) =>
          html`<tr>
            <td class="wide">${query}</td>
            <td class="counts">${whole(number)}</td>
            <td>${ago(lastAskedAt, now)}</td>
            <td>
              ${linkFor(session, `${baseOf(project)}/playground?${new URLSearchParams({ question: query }).toString()}`, html`Ask<span class="hidden"> about ${query}</span>`)}
            </td>
          </tr>`,
      ),
    )}
  </section>`
}

function nearest(project: Project, { nearest: pages }: Gap): Html {
  if (pages.length === 0) return html``
  return html`<section>
    <h2>Closest pages</h2>
    <ul>
      ${pages.map(
        ({ url, title, heading, path }) =>
          html`<li>
            <a href="${docsPath(project.domain, url)}"
              >${heading === null ? title : `${title} › ${heading}`}</a
            >
            <small class="muted">${path}</small>
          </li>`,
      )}
    </ul>
  </section>`
}

function manage(
  context: RequestContext,
  session: Session,
  address: string,
  gap: Gap,
  others: readonly Gap[],
): Html {
  const named = typedInto(context, `${address}/rename`)
  const dismissed = typedInto(context, `${address}/dismiss`)
  const mergeable = others.filter(({ id }) => id !== gap.id)
  const isPutAside = gap.state === 'dismissed'
  return html`<section>
    <h2>Manage this gap</h2>
    <details class="create" data-key="rename" ${named.has('name') ? html` open` : ''}>
      <summary>Rename it</summary>
      <form method="post" action="${address}/rename" class="stack" data-stay="Saving…">
        ${csrfField(session)}
        ${verbFields(changeGap, { ...inForm.name, typed: named.size > 0 ? named : new URLSearchParams({ name: gap.name }) })}
        <button>Save name</button>
      </form>
    </details>
    ${
      mergeable.length === 0
        ? ''
        : html`<details class="create" data-key="merge">
            <summary>Merge another gap into this one</summary>
            <form method="post" action="${address}/merge" class="stack" data-stay="Merging…">
              ${csrfField(session)}
              ${verbFields(mergeGaps, { ...inForm.merged, typed: new URLSearchParams(), options: { from: mergeable.map(({ id, name }) => [id, shortened(name, 80)] as const) } })}
              <button>Merge</button>
            </form>
          </details>`
    }
    ${
      isPutAside || gap.state === 'answered'
        ? html`<form method="post" action="${address}/reopen" class="create">
            ${csrfField(session)}<button>Reopen</button>
          </form>`
        : ''
    }
    ${
      isPutAside
        ? ''
        : html`<details class="create" data-key="dismiss" ${dismissed.size > 0 ? html` open` : ''}>
            <summary>Dismiss</summary>
            <form method="post" action="${address}/dismiss" class="stack" data-stay="Saving…">
              ${csrfField(session)}
              <p class="muted">
                Use this for topics that don’t need a page. The gap reopens if readers keep asking.
              </p>
              ${verbFields(changeGap, { ...inForm.dismissal, typed: dismissed.size > 0 ? dismissed : new URLSearchParams({ returnsAfter: String(usualReturn) }) })}
              <button>Dismiss</button>
            </form>
          </details>`
    }
  </section>`
}
