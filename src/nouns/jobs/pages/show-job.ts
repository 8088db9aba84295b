import { html } from 'hono/html'
import { newestEvents, type JobEvent } from '../../../features/agent/events.ts'
import { getJob, type Job } from '../../../features/agent/jobs.ts'
import { readProgress } from '../../../features/agent/tools/turn-progress.ts'
import { listTurnRemarks } from '../../../features/agent/turn-remarks.ts'
import { listTurns } from '../../../features/agent/turns.ts'
import type { RunLimits } from '../../../features/agent/turns/budget.ts'
import { diffedProject, jobChange, withKeptChanges } from '../../../features/agent/workspace/job-work.ts'
import type { OpenMirror } from '../../../features/projects/projects.ts'
import { AppError, asProblem } from '../../../lib/errors.ts'
import { hasUnstorable } from '../../../lib/text/plain-text.ts'
import type { Endpoint } from '../../../api/endpoint.ts'
import { notFound } from '../../../api/errors.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { linkFor } from '../../../api/frame/html/may-press.ts'
import { ago } from '../../../api/frame/html/parts.ts'
import { respond, show } from '../../../api/frame/html/respond.ts'
import { readShown } from '../../../api/frame/html/shown.ts'
import { typedInto, type Pages } from '../../../api/frame/pages.ts'
import { createSharedWork } from '../../../lib/share-work.ts'
import { liveJob } from '../../../api/live/streams.ts'
import { changeAssets, changedFile, changeSections, type ChangePorts } from '../../changes/change-sections.ts'
import { askerName } from './asker.ts'
import { conversation } from './conversation.ts'
import { followUp, question } from './follow-up.ts'
import { checks, noChange } from './job-changes.ts'
import { buttons, pullRequestNotice } from './job-head.ts'
import { keptChanges, toLookAt } from './kept-changes.ts'
import { progressCard, soFar } from './progress.ts'
import { failureText, stateBadge } from './state-badge.ts'
import { timeline } from './timeline.ts'

export interface JobPagePorts extends ChangePorts {
  mirror: OpenMirror
  /** What the server allows for a prompt. */
  runLimits: RunLimits
}

const maximumEvents = 1000
/** Viewers who ask within so many milliseconds see the same. */
const share = createSharedWork(2000)

export function showJobEndpoint(pages: Pages, ports: JobPagePorts): Endpoint {
  return pages.projectPage(
    '/projects/{domain}/jobs/{id}',
    'getJob',
    async ({ context, session, caller, project }) => {
      const { db } = ports.store
      const id = context.req.param('id') ?? ''
      const snapshot = hasUnstorable(id) ? undefined : await getJob(db, project.id, id)
      if (!snapshot) throw notFound('job', id)
      const diffed = diffedProject(project, ports.mirror)
      const version = `${id} ${snapshot.revision}`
      // The job is shown even when the host is unreachable or the branch has been deleted.
      const change = await share(`diff ${version}`, () => jobChange(ports.store, diffed, id).catch(asProblem))
      // After the diff, which notes what people pushed.
      const job = await withKeptChanges(ports.store, diffed, (await getJob(db, project.id, id)) ?? snapshot)
      const path = `/projects/${project.domain}/jobs/${job.id}`
      const isKnown = change !== undefined && !(change instanceof AppError)
      const view = isKnown && { context, session, caller, project, job, path, change }
      const file = view && (await changedFile(ports, view))
      if (file) return respond(context, file)
      const turns = await listTurns(db, project.id, id)
      const events = await share(`events ${version}`, () => newestEvents(db, project.id, id, maximumEvents))
      const remarks = await listTurnRemarks(db, project.id, id)
      const progress = await readProgress(db, ports.runLimits, project.settings.budget ?? {}, id, events)
      const now = ports.now()
      const typed = typedInto(context, `/projects/${project.domain}/jobs/${job.id}/message`)
      const title = job.title === '' ? 'Job' : job.title
      const talk = html`<section>
          <h2>Conversation</h2>
          ${conversation({ read: ports.readMarkdown, projectId: project.id, now }, { turns, events, remarks, failure: job.failure?.message, shown: readShown(context) })}
        </section>
        ${job.status === 'archived' ? html`<p class="empty">This job is archived and can’t accept follow-ups. ${linkFor(session, `/projects/${project.domain}/jobs/new`, 'Start a new job')}</p>` : job.question ? '' : followUp(project, session, job, typed)}`
      const changed = view
        ? await changeSections(ports, view, progress ? 'Changes so far' : 'Changes')
        : noChange(job, change)
      const hasWork = change instanceof AppError || (isKnown && change.from !== change.to)
      const work = html`${changed} ${checks(job)}`
      const { waiting } = job
      const notices = html`${pullRequestNotice(project, job)} ${failure(job, events)}
      ${question(ports.readMarkdown, project, session, job, typed)}
      ${keptChanges(project, session, job, turns)} ${toLookAt(project, session, job)}`
      const body = html`<p class="trail"><a href="/projects/${project.domain}/jobs">Jobs</a></p>
        <div class="heading">
          <h1>${title}</h1>
          ${buttons(project, session, job)}
        </div>
        <p class="meta">
          ${stateBadge(job.state)}
          <span
            >${job.createdBy ? html`Started by ${askerName(job.createdBy)}` : 'created'}
            ${ago(job.createdAt, now)}</span
          >
          <span>model <code>${job.model}</code></span>
        </p>
        ${
          progress
            ? html`<div class="cols">
                  <div>
                    ${progressCard({ progress, waiting, now })} ${notices}
                    ${timeline(events.filter(({ turn }) => turn === progress.turn))} ${talk}
                  </div>
                  ${soFar(job, progress, details(job))}
                </div>
                ${hasWork ? work : ''}`
            : html`${notices} ${hasWork ? html`${work} ${talk}` : talk} ${details(job)}`
        }`
      return show(
        context,
        {
          title,
          session,
          project,
          tab: 'jobs',
          wide: isKnown && change.from !== change.to,
          styles: ['jobs.css', ...changeAssets.styles],
          scripts: ['elapsed.js', ...changeAssets.scripts],
          // The notice of a sent prompt or a decision goes when the job has ended.
          isOver:
            job.status !== 'active' && ['message', 'publishing'].includes(context.req.query('done') ?? ''),
          // The revision from before the diff was read, so that nothing newer than the page counts as shown.
          live: liveJob(project, { ...job, revision: snapshot.revision }),
        },
        body,
      )
    },
  )
}

function failure({ failure: found, status, kept }: Job, events: readonly JobEvent[]): Html {
  if (!found) return html``
  const isFailed = status === 'failed'
  // The list of what is not published says the same, file by file.
  const isListed = kept !== undefined && found.code === 'policy' && (found.files?.length ?? 0) > 1
  const text = isListed ? 'Changes not published. See the problems below.' : failureText(found, events)
  return html`<p class="${isFailed ? 'failure' : 'notice'}">${text}</p>`
}

function details({ id, branch, base, usage }: Job): Html {
  return html`<section>
    <h2>Details</h2>
    <dl class="facts">
      <div>
        <dt>Id</dt>
        <dd><code>${id}</code></dd>
      </div>
      <div>
        <dt>Branch</dt>
        <dd><code>${branch}</code> from <code>${base}</code></dd>
      </div>
      <div>
        <dt>Tokens</dt>
        <dd>${usage.inputTokens.toLocaleString('en')} in, ${usage.outputTokens.toLocaleString('en')} out</dd>
      </div>
      ${
        !usage.cost
          ? ''
          : html`<div>
              <dt>Cost</dt>
              <dd>$${usage.cost.toFixed(usage.cost < 0.01 ? 4 : 2)}</dd>
            </div>`
      }
    </dl>
  </section>`
}
