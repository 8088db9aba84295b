import { html } from 'hono/html'
import type { Job } from '../../features/agent/jobs.ts'
import { findJobOfPullRequest } from '../../features/agent/review/find-reviewed-job.ts'
import { readDescription } from '../../features/agent/turns.ts'
import type { Change } from '../../features/agent/workspace/job-work.ts'
import type { Caller } from '../../features/projects/allow.ts'
import type { HostedState, ReadHostedRequest } from './hosted-requests.ts'
import type { OpenMirror } from '../../features/projects/projects.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import { AppError, asProblem } from '../../lib/errors.ts'
import type { AskPorts } from '../../api/discovery/ask-assistant.ts'
import type { RequestContext } from '../../api/endpoint.ts'
import { notFound } from '../../api/errors.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { mayPress } from '../../api/frame/html/may-press.ts'
import { ago, badge, externalLink } from '../../api/frame/html/parts.ts'
import { respond, show } from '../../api/frame/html/respond.ts'
import { liveJob } from '../../api/live/streams.ts'
import { changeAssets, changedFile, changeSections, type ChangePorts } from '../changes/change-sections.ts'
import { toLookAt } from '../jobs/pages/kept-changes.ts'
import { numberOf } from './find-pull.ts'
import { changeOf, judgeHostedPull } from './judge.ts'
import { bringUpToDate, mergeByHost, verdictBox, verdictReasons } from './merge-box.ts'
import { pullHead } from './pull-head.ts'
import { mergedPages } from './merged-pages.ts'

export interface HostedPullPorts extends ChangePorts {
  assistant: AskPorts<Project>['assistant']
  mirror: OpenMirror
  /** What a git host says about a pull request, soon or not at all. */
  hostedRequest: ReadHostedRequest
}

interface Visit {
  context: RequestContext
  session: Session
  caller: Caller
  project: Project
}

type PullRequest = NonNullable<Job['pullRequest']>

/** The page of a pull request that a job has opened at a git host, where people merge and close it. */
export async function showHostedPull(
  ports: HostedPullPorts,
  { context, session, caller, project }: Visit,
): Promise<Response> {
  const number = numberOf(context.req.param('number'))
  const job = number === 0 ? undefined : await findJobOfPullRequest(ports.store.db, project, number)
  const recorded = job?.pullRequest
  if (!job || !recorded) throw notFound('pull request of a job', context.req.param('number') ?? '')
  const path = `/projects/${project.domain}/pulls/${number}`
  const change = await changeOf(ports, project, job).catch(asProblem)
  const view =
    change instanceof AppError || change === undefined
      ? undefined
      : { context, session, caller, project, job, path, change }
  const file = view && (await changedFile(ports, view))
  if (file) return respond(context, file)
  const hosted = await ports.hostedRequest(project, number)
  const { request } = hosted
  const state = stateOf(recorded, request)
  const sections = view
    ? await changeSections(ports, view)
    : html`<p class="empty">${change instanceof AppError ? change.message : 'Nothing is published yet'}.</p>`
  const box = await hostBox(ports, { project, session, job, recorded, hosted, change })
  const body = html`<p class="trail"><a href="/projects/${project.domain}/pulls">Pull requests</a></p>
    <div class="heading">
      <h1>${job.title === '' ? 'Pull request' : job.title} <span class="muted">#${number}</span></h1>
    </div>
    <p class="meta">
      ${badge(state)}${request?.draft === true ? html` ${badge('draft')}` : ''}
      <span><code>${job.branch}</code> into <code>${request?.base ?? job.base}</code></span>
      <a href="/projects/${project.domain}/jobs/${job.id}">Job</a>
      ${externalLink(recorded.link, `Open at ${hosted.host ?? 'its host'}`)}
    </p>
    ${state === 'open' ? '' : box}
    ${pullHead(ports, project.id, {
      description: await readDescription(ports.store.db, job.id),
      job,
      linkOf: (other) => `${recorded.link.slice(0, recorded.link.lastIndexOf('/') + 1)}${other}`,
      next: state === 'open' ? html`<a class="button" href="#merge">Go to merge</a>` : html``,
    })}
    ${toLookAt(project, session, job)} ${sections} ${state === 'open' ? box : ''}`
  return show(
    context,
    {
      title: job.title === '' ? `Pull request ${number}` : job.title,
      session,
      project,
      tab: 'pulls',
      wide: view !== undefined,
      ...changeAssets,
      live: liveJob(project, job),
    },
    body,
  )
}

interface Boxed {
  project: Project
  session: Session
  job: Job
  recorded: PullRequest
  hosted: HostedState
  change: Change | AppError | undefined
}

/** What is known of a pull request at its host, and where it is merged. */
async function hostBox(
  ports: HostedPullPorts,
  { project, session, job, recorded, hosted, change }: Boxed,
): Promise<Html> {
  const { host = 'the host', request, at, trouble } = hosted
  const base = request?.base ?? job.base
  const readable = change instanceof AppError ? undefined : change
  const state = stateOf(recorded, request)
  const draft = request?.draft ?? job.draft
  const { judgement, merge } = await judgeHostedPull(ports, job, { state, draft, base }, readable)
  const pull = { number: recorded.number, base, head: job.branch, draft }
  const { conflicts } = merge
  const view = { project, session, pull, judgement, conflicts, job }
  const mayMerge =
    state === 'open' && hosted.request !== undefined && mayPress(session, 'mergePullRequest', project)
  const isOffered = mayMerge && !draft && judgement.verdict !== 'blocked'
  const isReady = judgement.verdict === 'ready'
  const isUnsure = isReady && (trouble !== undefined || readable === undefined)
  return verdictBox(
    isUnsure ? 'not_yet' : judgement.verdict,
    html`${verdictReasons(view, html`No problems are known here`)}
      ${trouble === undefined ? '' : html`<p class="notice warning">${trouble}. ${at === undefined ? 'What you see is what Docwright knows of it.' : html`What you see is from ${ago(at, ports.now())}.`}</p>`}
      ${state === 'open' ? html`<p class="muted">${mayMerge ? html`${host} merges it, and its own rules and checks apply. Close it there.` : html`Merge or close it at ${host}, where its own rules and checks apply.`}</p>` : ''}
      ${state === 'merged' ? await mergedPages(ports, project, job.changes) : ''}
      <div class="buttons merge-actions">
        ${state === 'open' ? bringUpToDate(view) : ''}
        ${isOffered ? mergeByHost(view, { styles: hosted.request?.styles ?? [], head: readable?.head, isPlain: isReady && !isUnsure }) : ''}
        <span class="${isOffered ? '' : 'host-link'}"
          >${externalLink(recorded.link, `See it at ${host}`)}</span
        >
      </div>`,
    isUnsure ? 'Merge status unknown' : undefined,
  )
}

/** What was merged stays so, and may be known here before the host is asked again. */
function stateOf(recorded: PullRequest, request: HostedState['request']): PullRequest['state'] {
  return recorded.state === 'merged' ? 'merged' : (request?.state ?? recorded.state)
}
