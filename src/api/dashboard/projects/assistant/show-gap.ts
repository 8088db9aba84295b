import { html } from 'hono/html'
import {
  listGaps,
  getGap,
  readDetails,
  usualReturn,
  type Gap,
} from '../../../../features/assistant/gaps/gaps.ts'
import { workOfGap } from '../../../../features/assistant/gaps/job-of-gap.ts'
import { listExchanges, type Exchange } from '../../../../features/assistant/insights/conversations.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import type { Models } from '../../../../integrations/models/model.ts'
import { AppError } from '../../../../lib/errors.ts'
import { counted } from '../../../../lib/text/counted.ts'
import { hasUnstorable } from '../../../../lib/text/plain-text.ts'
import type { Store } from '../../../../store/database.ts'
import type { Endpoint, RequestContext } from '../../../endpoint.ts'
import { csrfField, textField } from '../../../frame/html/form.ts'
import type { Html } from '../../../frame/html/html.ts'
import { linkFor, mayPress } from '../../../frame/html/may-press.ts'
import { ago, badge, externalLink, table } from '../../../frame/html/parts.ts'
import { typedInto, type Pages } from '../../../frame/pages.ts'
import { docsPath } from '../../../render/docs-path.ts'
import { builtinNote } from '../jobs/new-job/builtin-note.ts'
import { baseOf, showAssistant } from './assistant-page.ts'
import { askedWords, causesOf, trendDays, trendWords } from './gaps.ts'
import { onceEach } from './once-each.ts'
import { shortened, stateBadge, whole } from './words.ts'

interface Ports {
  store: Store
  models: Models
  now(): Date
}

const mostQuestions = 50

/** The gap that the path names. @throws AppError `not_found` */
export function gapIdIn(context: RequestContext): string {
  const id = context.req.param('gap') ?? ''
  if (hasUnstorable(id)) throw new AppError('not_found', 'There is no such gap; see the list of gaps')
  return id
}

export function showGapEndpoint(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage('/projects/{domain}/assistant/gaps/{gap}', 'getGap', async (visit) => {
    const { context, session, project } = visit
    const { db } = ports.store
    const id = gapIdIn(context)
    const gap = await getGap(db, project.id, id, trendDays)
    const { rows: exchanges, next } = await listExchanges(db, project.id, {
      filter: { gapId: id },
      limit: mostQuestions,
    })
    const { searches, checks } = await readDetails(db, id)
    const others = await listGaps(db, project.id, { days: trendDays, offset: 0, limit: 100 })
    const now = ports.now()
    const path = `${baseOf(project)}/gaps/${id}`
    const body = html`<p class="trail"><a href="${baseOf(project)}/gaps">Gaps</a></p>
      <div class="heading">
        <h1>${gap.name || 'A topic without a name'}</h1>
        ${stateBadge(gap.state)}
      </div>
      <p class="meta">
        <strong>${counted(gap.trend.now, 'question')} in ${trendDays} days</strong> ${trendWords(gap.trend)}
        <span class="muted">${askedWords(gap)}</span>
        <span class="muted">first ${ago(gap.firstAskedAt, now)}, last ${ago(gap.lastAskedAt, now)}</span>
      </p>
      <p>${causesOf(gap)}.</p>
      ${await nextStep(ports, session, project, gap, typedInto(context, `${path}/job`))}
      ${checkResult(gap, checks, now)} ${questionList(project, exchanges, next !== undefined, now)}
      ${searchList(session, project, searches, now)} ${nearest(project, gap)}
      ${mayPress(session, 'changeGap', project) ? manage(context, session, path, gap, others) : ''}`
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
        The pull request of ${jobLink('the job')} is merged. When its pages are read, the questions are asked
        again, and this page says whether they are answered.
      </p>
    </div>`
  if (!mayPress(session, 'createGapJob', project)) return html``
  const { prompt, evidence } = await workOfGap(store.db, gap, undefined)
  const model = project.settings.model ?? models.defaultModel
  return html`<section id="write" class="card">
    <h2>Write it</h2>
    ${state === 'answered' ? html`<p>The questions are answered by now. A job would go over them once more.</p>` : ''}
    ${model === 'builtin' ? builtinNote(session, project) : ''}
    <form method="post" action="${baseOf(project)}/gaps/${gap.id}/job" class="stack" data-stay="Starting…">
      ${csrfField(session)}
      <label for="instructions"
        >Anything else the agent should know <span class="muted">(optional)</span></label
      >
      <textarea
        id="instructions"
        name="instructions"
        rows="3"
        maxlength="10000"
        placeholder="Redis is not supported; say what to use instead."
      >
${typed.get('instructions') ?? ''}</textarea>
      <details data-key="prompt">
        <summary>What the agent is asked and shown</summary>
        <h3>The prompt</h3>
        <p class="prompt" tabindex="0">${prompt}</p>
        <h3>For information</h3>
        <p class="muted">Texts of readers and answers. The agent reads them, and they allow it nothing.</p>
        <p class="prompt" tabindex="0">${evidence}</p>
      </details>
      <label class="check"
        ><input type="checkbox" name="draft" value="yes" ${typed.has('draft') ? html` checked` : ''} /> Open
        the pull request as a draft</label
      >
      <button class="primary">Start the job</button>
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
    <h2>Was it closed?</h2>
    <p>
      ${
        check.verdict === 'answered'
          ? html`<strong>Yes.</strong> Most of its questions are answered from a page that was changed.`
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

function questionList(project: Project, exchanges: Exchange[], more: boolean, now: Date): Html {
  if (exchanges.length === 0) return html``
  return html`<section>
    <h2>Questions</h2>
    ${table(
      'Questions',
      ['Question', 'Answer', 'When'],
      onceEach(
        exchanges.toReversed(),
        ({ question, context, outcome }) =>
          question && `${question} ${outcome ?? ''} ${context.map(({ value }) => value).join(' ')}`,
      ).map(
        ({ entry: { threadId, n, question, context, outcome, missing, askedAt }, times }) =>
          html`<tr>
            <td class="wide">
              <a href="${baseOf(project)}/conversations/${encodeURIComponent(threadId)}#q${n}"
                >${shortened(question, 240) || 'A question that is not kept'}</a
              >
              ${times === 1 ? '' : html` <span class="muted">${whole(times)} times</span>`}
              ${context.map(({ value }) => html`<br /><small class="muted">about “${shortened(value, 160)}”</small>`)}
              ${missing.length === 0 ? '' : html`<br /><small class="muted">missing: ${missing.join(', ')}</small>`}
            </td>
            <td>${outcome === null ? 'none yet' : stateBadge(outcome)}</td>
            <td>${ago(askedAt, now)}</td>
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
    <h2>Searches without result</h2>
    ${table(
      'Searches without result',
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
    <h2>Pages that come closest</h2>
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
  path: string,
  gap: Gap,
  others: readonly Gap[],
): Html {
  const named = typedInto(context, `${path}/rename`)
  const mergeable = others.filter(({ id }) => id !== gap.id)
  const isPutAside = gap.state === 'dismissed'
  return html`<section>
    <h2>Manage this gap</h2>
    <details class="create" data-key="rename" ${named.has('name') ? html` open` : ''}>
      <summary>Rename it</summary>
      <form method="post" action="${path}/rename" class="stack" data-stay="Saving…">
        ${csrfField(session)}
        ${textField({ name: 'name', label: 'Name', value: named.get('name') ?? gap.name, maximum: 80, required: true })}
        <button>Save the name</button>
      </form>
    </details>
    ${
      mergeable.length === 0
        ? ''
        : html`<details class="create" data-key="merge">
            <summary>Merge another gap into it</summary>
            <form method="post" action="${path}/merge" class="stack" data-stay="Merging…">
              ${csrfField(session)}
              <label for="other">The gap whose questions come here, and which is gone then</label>
              <select id="other" name="from">
                ${mergeable.map(({ id, name }) => html`<option value="${id}">${shortened(name, 80)}</option>`)}
              </select>
              <button>Merge</button>
            </form>
          </details>`
    }
    ${
      isPutAside || gap.state === 'answered'
        ? html`<form method="post" action="${path}/reopen" class="create">
            ${csrfField(session)}<button>Open it again</button>
          </form>`
        : ''
    }
    ${
      isPutAside
        ? ''
        : html`<details class="create" data-key="dismiss">
            <summary>Dismiss it</summary>
            <form method="post" action="${path}/dismiss" class="stack" data-stay="Saving…">
              ${csrfField(session)}
              <p class="muted">For what needs no page. It is open again when more is asked.</p>
              ${textField({ name: 'reason', label: 'Why', placeholder: 'Not planned', maximum: 500 })}
              <label for="returnsAfter">Questions after which it is open again</label>
              <input
                id="returnsAfter"
                name="returnsAfter"
                type="number"
                min="1"
                max="100000"
                value="${usualReturn}"
              />
              <button>Dismiss</button>
            </form>
          </details>`
    }
  </section>`
}
