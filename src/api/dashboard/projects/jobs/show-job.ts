import { html } from 'hono/html'
import { describeEvent } from '../../../../features/agent/describe-event.ts'
import { listEvents, type JobEvent } from '../../../../features/agent/events.ts'
import { getJob, type Job } from '../../../../features/agent/jobs.ts'
import { listTurnRemarks, listTurns, type Turn, type TurnRemark } from '../../../../features/agent/turns.ts'
import {
  jobDiff,
  withKeptChanges,
  type DiffedProject,
} from '../../../../features/agent/workspace/job-work.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import type { ApprovalColumn } from '../../../../store/columns.ts'
import { AppError, asProblem } from '../../../../lib/errors.ts'
import { hasUnstorable } from '../../../../lib/plain-text.ts'
import { counts, diffView } from '../../html/diff.ts'
import { buttonForm, csrfField } from '../../html/form.ts'
import type { Html } from '../../html/html.ts'
import { ago, badge } from '../../html/parts.ts'
import { show } from '../../html/respond.ts'
import { projectPage, typedInto } from '../../page.ts'
import type { PagePorts } from '../../ports.ts'
import type { ReadMarkdown } from '../../../docs/read-markdown.ts'
import { renderMarkdown } from '../../../docs/render-markdown.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { notFound } from '../../../errors.ts'
import { liveJob } from '../../live/streams.ts'
import { pullRequestLink, statusBadge } from './job-table.ts'

const maximumEvents = 1000

export function showJobEndpoint(ports: PagePorts): Endpoint {
  return projectPage(
    ports,
    '/projects/{domain}/jobs/{id}',
    'getJob',
    async ({ context, session, project }) => {
      const { db } = ports.store
      const id = context.req.param('id') ?? ''
      const found = hasUnstorable(id) ? undefined : await getJob(db, project.id, id)
      if (!found) throw notFound('job', id)
      const diffed: DiffedProject = {
        id: project.id,
        open: (commits, options) => ports.mirror(project, commits, options),
      }
      // The job is shown even when the host is unreachable or the branch has been deleted.
      const diff = await jobDiff(ports.store, diffed, id).catch(asProblem)
      // After the diff, which notes what people pushed.
      const job = await withKeptChanges(ports.store, diffed, (await getJob(db, project.id, id)) ?? found)
      const turns = await listTurns(db, project.id, id)
      const events = await listEvents(db, project.id, id, { after: 0, limit: maximumEvents })
      const remarks = await listTurnRemarks(db, project.id, id)
      const now = ports.now()
      const typed = typedInto(context, `/projects/${project.domain}/jobs/${job.id}/message`)
      const body = html`<p class="trail"><a href="/projects/${project.domain}/jobs">Jobs</a></p>
        <div class="heading">
          <h1>${job.title === '' ? 'Job' : job.title}</h1>
          ${buttons(project, session, job)}
        </div>
        <p class="meta">
          ${statusBadge(job)} <span>created ${ago(job.createdAt, now)}</span>
          <span>model <code>${job.model}</code></span>
        </p>
        ${pullRequestNotice(project, job)}
        ${job.failure ? html`<p class="${job.status === 'failed' ? 'failure' : 'notice'}"><strong>${job.status === 'failed' ? 'Failed' : 'Note'} (${job.failure.code}).</strong> ${job.failure.message}</p>` : ''}
        ${question(ports.readMarkdown, project, session, job, typed)}
        ${keptChanges(project, session, job, turns)}
        <section>
          <h2>Prompts</h2>
          ${turnList({ read: ports.readMarkdown, projectId: project.id }, turns, { events, remarks }, now)}
        </section>
        ${job.status === 'archived' ? html`<p class="empty">The job is archived and takes no more prompts. <a href="/projects/${project.domain}/jobs">Start another</a>.</p>` : job.question ? '' : followUp(project, session, job, typed)}
        ${changes(job)} ${checks(job)}
        <section>
          <h2>Diff</h2>
          ${diffSection(job, diff)}
        </section>
        <section>
          <h2>Details</h2>
          <dl class="facts">
            <div>
              <dt>Id</dt>
              <dd><code>${job.id}</code></dd>
            </div>
            <div>
              <dt>Branch</dt>
              <dd><code>${job.branch}</code> from <code>${job.base}</code></dd>
            </div>
            <div>
              <dt>Tokens</dt>
              <dd>
                ${job.usage.inputTokens.toLocaleString('en')} in,
                ${job.usage.outputTokens.toLocaleString('en')} out
              </dd>
            </div>
          </dl>
        </section>`
      return show(
        context,
        {
          title: job.title === '' ? 'Job' : job.title,
          session,
          project,
          tab: 'jobs',
          // Of before the diff was read, so that nothing newer than the page is taken for shown.
          live: liveJob(project, { ...job, revision: found.revision }),
        },
        body,
      )
    },
  )
}

function buttons(project: Project, session: Session, job: Job): Html {
  const base = `/projects/${project.domain}/jobs/${job.id}`
  const cancel = buttonForm(session, {
    action: `${base}/cancel`,
    label: 'Cancel',
    confirm: 'Cancel this job? The prompt at work ends as failed and those behind it are dropped.',
  })
  const archive = buttonForm(session, {
    action: `${base}/archive`,
    label: 'Archive',
    confirm: 'Archive this job? It stops and takes no more prompts. Its pull request stays as it is.',
  })
  return html`<div class="buttons">
    ${job.status === 'active' ? cancel : ''}${job.status === 'archived' ? '' : archive}
  </div>`
}

function followUp(project: Project, session: Session, job: Job, typed: URLSearchParams): Html {
  return html`<form
    method="post"
    action="/projects/${project.domain}/jobs/${job.id}/message"
    class="stack card"
    data-stay="Sending…"
  >
    ${csrfField(session)}
    <label for="prompt">${job.question ? 'Your answer' : 'Follow up'}</label>
    <textarea
      id="prompt"
      name="prompt"
      rows="3"
      required
      maxlength="100000"
      placeholder="${job.question ? 'The agent goes on with it' : 'Say what should be different'}"
    >
${typed.get('prompt') ?? ''}</textarea>
    <button class="primary">Send</button>
    ${job.status === 'active' ? html`<p class="muted">It waits its turn behind the prompts above.</p>` : ''}
  </form>`
}

/**
 * What the agent asks, with the form for the answer; empty without a question. The form stands beside the section, as that
 * for follow-ups does, so that the page shows the question to somebody who is just writing one.
 */
function question(
  read: ReadMarkdown,
  project: Project,
  session: Session,
  job: Job,
  typed: URLSearchParams,
): Html {
  if (!job.question) return html``
  return html`<section>
      <h2>The agent asks</h2>
      <div class="notice warning prose">${renderMarkdown(read, project.id, job.question.text)}</div>
    </section>
    ${followUp(project, session, job, typed)}`
}

/** Links to the pull request of a job; empty without one. */
function pullRequestNotice(project: Project, job: Job): Html {
  const { pullRequest: request } = job
  if (!request) return html``
  const told = {
    open: tellOpen(job),
    merged: 'Its changes are in.',
    closed: 'It was closed without merging. A follow-up opens another one.',
  }
  return html`<p class="notice ${request.state === 'closed' ? 'warning' : ''}">
    Pull request ${pullRequestLink(project, request)} ${badge(request.state)}
    <span class="muted">${told[request.state]}</span>
  </p>`
}

function tellOpen({ status, kept, checks: found, draft }: Job): string {
  if (status === 'active') return 'The job is still at work on it.'
  if (kept) return 'The changes that are kept are not in it.'
  if (found.some(({ severity }) => severity === 'error')) return 'Problems are left, which it lists.'
  return draft ? 'It was opened as a draft.' : 'It waits for a review.'
}

/** The files that a job changed. */
function changes(job: Job): Html {
  if (job.changes.length === 0) return html``
  return html`<section>
    <h2>Changes</h2>
    <ul class="plain">
      ${job.changes.map(
        ({ path, oldPath, status, additions, deletions, kept }) =>
          html`<li>
            <span class="badge">${status}</span>
            <span class="path">${oldPath === null ? path : `${oldPath} → ${path}`}</span>
            ${counts(additions, deletions)}${kept === true ? html` <span class="badge">kept, not published</span>` : ''}
          </li>`,
      )}
    </ul>
  </section>`
}

/** What was not published: why, what a person can allow, and how to publish it. Empty where nothing is kept. */
function keptChanges(project: Project, session: Session, job: Job, turns: readonly Turn[]): Html {
  const { kept, failure, status } = job
  const leftOut = job.checks.filter(({ check }) => check === 'policy')
  const files = failure?.files?.length ? failure.files : leftOut
  const open = status === 'failed' || status === 'completed'
  const allowed = open ? approvals(project, session, job, [...(failure?.files ?? []), ...leftOut]) : undefined
  if (kept === undefined && allowed === undefined) return html``
  const isPart = turns.find(({ n }) => n === kept?.turn)?.outcome === 'changed'
  const told = isPart ? 'published a part of its changes. The others' : 'published nothing. Its changes'
  return html`<section>
    <h2>Not published</h2>
    <div class="notice warning">
      ${kept === undefined ? '' : html`<p><strong>Turn ${kept.turn} ${told} are kept.</strong></p>`}
      ${files.length === 0 ? '' : wrongList(files)} ${allowed ?? ''}
      ${kept === undefined || !open ? '' : publishKeptForm(project, session, job)}
      ${status === 'active' ? html`<p>The next turn goes on from them.</p>` : ''}
    </div>
  </section>`
}

function wrongList(files: readonly { path: string; line: number | null; message: string }[]): Html {
  return html`<p>What is wrong with them:</p>
    <ul class="plain">
      ${files.slice(0, 50).map(
        ({ path, line, message }) =>
          html`<li>
            <span class="path">${path === '' ? 'All changes' : path}${line === null ? '' : `:${line}`}</span>
            ${message}
          </li>`,
      )}
    </ul>`
}

/** Offers to allow what the policy refused only because the site has nothing like it. */
function approvals(
  project: Project,
  session: Session,
  { id, kept, failure, question: asked }: Job,
  refused: readonly { approval?: ApprovalColumn }[],
): Html | undefined {
  const found = new Map(refused.flatMap(({ approval }) => (approval ? [[approval.value, approval]] : [])))
  if (found.size === 0) return undefined
  const isLast = kept !== undefined && refused.every(({ approval }) => approval !== undefined)
  const publishes = isLast && asked === undefined && (failure === undefined || failure.code === 'policy')
  return html`<p>
      The site has nothing like this yet.
      ${publishes ? 'When all of it is allowed, the kept changes are published.' : 'What you allow counts from the next turn of this job on.'}
    </p>
    <ul class="plain">
      ${[...found.values()].map(
        ({ kind, value }) =>
          html`<li>
            ${kind === 'host' ? 'Load from' : 'Import'} <code>${value}</code>
            <div class="buttons">
              ${[
                { label: 'Allow this once', always: '' },
                { label: 'Allow always', always: 'yes' },
              ].map(({ label, always }) =>
                buttonForm(session, {
                  action: `/projects/${project.domain}/jobs/${id}/approve`,
                  label,
                  fields: { kind, value, always },
                }),
              )}
            </div>
          </li>`,
      )}
    </ul>`
}

function publishKeptForm(project: Project, session: Session, { id, question: asked }: Job): Html {
  return html`<p>
      ${asked ? 'Your answer' : 'A follow-up'} goes on from these changes. You can also publish them as they
      are: a draft says what is wrong with them. What the policy refuses is left out of it.
    </p>
    ${buttonForm(session, {
      action: `/projects/${project.domain}/jobs/${id}/publish`,
      label: 'Publish as a draft',
      confirm: 'Publish the kept changes as a draft pull request, as they are?',
    })}`
}

/** The problems that the last checks of a job found. */
function checks(job: Job): Html {
  // What was left out stands above. What was not published was not checked as a whole.
  const found = job.checks.filter(({ check }) => job.kept === undefined || check !== 'policy')
  if (found.length === 0)
    return job.changes.length === 0 || job.kept !== undefined
      ? html``
      : html`<section>
          <h2>Checks</h2>
          <p>No new problem was found.</p>
        </section>`
  return html`<section>
    <h2>Checks</h2>
    ${problemList(found)}
  </section>`
}

export function problemList(problems: Job['checks']): Html {
  return html`<ul class="plain">
    ${problems.map(
      ({ check, severity, path, line, message }) =>
        html`<li>
          <span class="badge ${severity === 'error' ? 'bad' : ''}">${check}</span>
          <span class="path">${path}${line === null ? '' : `:${line}`}</span> ${message}
        </li>`,
    )}
  </ul>`
}

/** @param diff unified, or why it cannot be shown */
function diffSection(job: Job, diff: string | AppError | undefined): Html {
  if (diff instanceof AppError) return html`<p class="empty">${diff.message}.</p>`
  if (diff !== undefined && diff !== '') return diffView(diff)
  return html`<p class="empty">
    ${job.status === 'active' || job.question ? 'Nothing is published yet.' : 'The job changed no file.'}
  </p>`
}

const waitingFor = { host: 'the git host', model: 'the model', machine: 'this server' }

/** Each prompt with its result and its events. */
function turnList(
  { read, projectId }: { read: ReadMarkdown; projectId: string },
  turns: Turn[],
  { events, remarks }: { events: JobEvent[]; remarks: ReadonlyMap<number, TurnRemark> },
  now: Date,
): Html {
  return html`<ol class="turns">
    ${turns.map((turn) => {
      const { author, waiting } = remarks.get(turn.n) ?? {}
      const own = events.filter((event) => event.turn === turn.n)
      return html`<li class="turn">
        <p class="meta">
          <strong>${turn.n === 1 ? 'Prompt' : `Follow-up ${turn.n - 1}`}</strong>
          ${statusBadge({ ...turn, waiting: waiting && waiting.until > now ? waiting : undefined })}
          <span class="muted">${ago(turn.createdAt, now)}${duration(turn)}</span>
          ${author === undefined ? '' : html`<span>asked by <strong>${author}</strong> in a comment on the pull request</span>`}
        </p>
        ${waiting === undefined || waiting.until <= now ? '' : html`<p class="notice warning"><strong>Waiting for ${waitingFor[waiting.for]}</strong>, next try ${ago(waiting.until, now)}. ${waiting.message}</p>`}
        <blockquote class="prompt">${turn.prompt}</blockquote>
        ${turn.summary === undefined ? '' : html`<div class="prose summary">${renderMarkdown(read, projectId, turn.summary)}</div>`}
        ${turn.failure ? html`<p class="failure">${turn.failure.message}</p>` : ''}
        ${own.length === 0 ? '' : timeline(turn, own)}
      </li>`
    })}
  </ol>`
}

function duration({ startedAt, finishedAt }: Turn): string {
  if (!startedAt || !finishedAt) return ''
  const seconds = Math.round((finishedAt.getTime() - startedAt.getTime()) / 100) / 10
  return seconds < 60
    ? `, took ${seconds} s`
    : `, took ${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}

function timeline(turn: Turn, events: JobEvent[]): Html {
  return html`<details class="events" data-key="events ${turn.n}">
    <summary>${events.length} ${events.length === 1 ? 'event' : 'events'}</summary>
    <ol>
      ${events.map((event) => {
        const { name, text } = describeEvent(event)
        const time = event.createdAt.toISOString()
        return html`<li>
          <time datetime="${time}">${time.slice(11, 19)}</time>
          <span class="type">${name}</span>
          <span class="data">${text}</span>
        </li>`
      })}
    </ol>
  </details>`
}
