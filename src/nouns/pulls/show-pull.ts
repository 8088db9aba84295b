import { html } from 'hono/html'
import { allow, type Caller } from '../../features/projects/allow.ts'
import { findProjectByDomain, type Project } from '../../features/projects/projects.ts'
import type { PullRequests } from '../../features/projects/pull-requests.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import type { PullRequestComment } from '../../integrations/forges/local/pull-request-comments.ts'
import type { PullRequest } from '../../integrations/forges/local/pull-request-detail.ts'
import { AppError, asProblem } from '../../lib/errors.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import type { Endpoint, RequestContext } from '../../api/endpoint.ts'
import { csrfField } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { mayPress } from '../../api/frame/html/may-press.ts'
import { ago, badge } from '../../api/frame/html/parts.ts'
import { respond, show } from '../../api/frame/html/respond.ts'
import { askToSignIn, callerOf, typedInto, type Pages } from '../../api/frame/pages.ts'
import { renderMarkdown } from '../../api/render/markdown/render-markdown.ts'
import { liveJob } from '../../api/live/streams.ts'
import { changeAssets, changedFile, changeSections } from '../changes/change-sections.ts'
import { toLookAt } from '../jobs/pages/kept-changes.ts'
import { verbFields } from '../../verbs/form.ts'
import { findPull, numberOf } from './find-pull.ts'
import { changeOfPull, jobOfPull, judgePull } from './judge.ts'
import { mergeBox, nextStep } from './merge-box.ts'
import { pullHead } from './pull-head.ts'
import { mergedPages } from './merged-pages.ts'
import { showHostedPull, type HostedPullPorts } from './show-hosted-pull.ts'
import { addComment } from './verbs.ts'

export interface PullPagePorts extends HostedPullPorts {
  publicUrl(): string
  pullRequests: PullRequests
}

/** What is typed into the form for a comment. */
export const inForm = { only: ['body'], required: ['body'] } as const

/** The page is open to people who are signed in, and to everybody who has the link from the job. */
export function showPullEndpoint(pages: Pages, ports: PullPagePorts): Endpoint {
  return pages.openPage('/projects/{domain}/pulls/{number}', async ({ context, session }) => {
    const name = context.req.param('domain') ?? ''
    const candidate = hasUnstorable(name) ? undefined : await findProjectByDomain(ports.store.db, name)
    const token = context.req.query('token')
    // Without a session and a valid token, an existing pull request looks like a missing one.
    const opens =
      candidate !== undefined &&
      token !== undefined &&
      (await ports.pullRequests.opens(candidate, numberOf(context.req.param('number')), token))
    if (!session && !opens) return askToSignIn(ports, context)
    const caller: Caller = session ? callerOf(session) : { kind: 'operator' }
    const project = allow(caller, 'getPullRequest', { name, project: candidate })
    if (project.kind === 'https' && session)
      return showHostedPull(ports, { context, session, caller, project })
    const pull = await findPull(ports, project, context.req.param('number'))
    // Read before the rest, so that nothing newer than the page counts as shown.
    const job = await jobOfPull(ports.store.db, project, pull)
    const path = `/projects/${project.domain}/pulls/${pull.number}`
    const change = await changeOfPull(ports, project, pull).catch(asProblem)
    const view = { context, session, caller, project, pull, job, path }
    const file = change instanceof AppError ? undefined : await changedFile(ports, { ...view, change })
    if (file) return respond(context, file)
    const mergeability = await ports.pullRequests.mergeability(project, pull.number)
    const judgement = await judgePull(ports, project, pull, mergeability)
    const sections =
      change instanceof AppError ? change : await changeSections(ports, { ...view, change }).catch(asProblem)
    const now = ports.now()
    const { conflicts } = mergeability
    const merged =
      session && judgement.verdict === 'merged'
        ? await mergedPages(ports, project, job?.changes ?? [])
        : html``
    const judged = { project, session, pull, judgement, conflicts, job: session ? job : undefined }
    const box = mergeBox({ ...judged, merged })
    const body = html`${session ? html`<p class="trail"><a href="/projects/${project.domain}/pulls">Pull requests</a></p>` : ''}
      <div class="heading">
        <h1>${pull.title} <span class="muted">#${pull.number}</span></h1>
      </div>
      <p class="meta">
        ${badge(pull.state)}${pull.draft ? html` ${badge('draft')}` : ''}
        <span><code>${pull.head}</code> into <code>${pull.base}</code></span>
        <span class="muted"
          >opened
          ${ago(pull.createdAt, now)}${pull.closedAt ? html`, ${pull.state} ${ago(pull.closedAt, now)}` : ''}</span
        >
        ${job && session ? html`<a href="/projects/${project.domain}/jobs/${job.id}">Job</a>` : ''}
      </p>
      ${pull.state === 'open' ? '' : box}
      ${pullHead(ports, project.id, {
        description: pull.body,
        job: session ? job : undefined,
        next: nextStep(judged),
        // Numbers are given in order, so that smaller ones exist.
        linkOf: (number) =>
          number > 0 && number < pull.number
            ? `${ports.publicUrl()}/projects/${project.domain}/pulls/${number}`
            : undefined,
      })}
      ${session && job ? toLookAt(project, session, job) : ''}
      ${sections instanceof AppError ? html`<p class="notice warning">${sections.message}.</p>` : sections}
      ${await conversation(ports, context, { project, session, pull })} ${pull.state === 'open' ? box : ''}`
    return show(
      context,
      {
        title: pull.title,
        session,
        project,
        tab: 'pulls',
        wide: !(sections instanceof AppError),
        styles: changeAssets.styles,
        scripts: session ? changeAssets.scripts : ['review.js'],
        live: session && job ? liveJob(project, job) : undefined,
      },
      body,
    )
  })
}

/** The comments on the whole, which the agent is given with the next follow-up. */
async function conversation(
  ports: PullPagePorts,
  context: RequestContext,
  { project, session, pull }: { project: Project; session: Session | undefined; pull: PullRequest },
): Promise<Html> {
  const comments = await ports.pullRequests.comments(project, pull.number)
  const typed = typedInto(context, `/projects/${project.domain}/pulls/${pull.number}/comment`)
  return html`<section id="conversation">
    <h2>Comments</h2>
    ${comments.length === 0 ? html`<p class="empty">No comments yet. The agent reads new comments with the job’s next follow-up.</p>` : ''}
    ${comments.map((comment) => commentCard(ports, project, comment))}
    ${session && mayPress(session, 'addComment', project) ? commentForm(project, session, pull, typed) : ''}
  </section>`
}

function commentCard(
  ports: Pick<PullPagePorts, 'readMarkdown' | 'now'>,
  project: Project,
  { n, author, body, createdAt }: PullRequestComment,
): Html {
  return html`<article class="prose card" id="comment-${n}">
    <p class="muted">${author}, ${ago(createdAt, ports.now())}</p>
    ${renderMarkdown(ports.readMarkdown, project.id, body)}
  </article>`
}

function commentForm(project: Project, session: Session, pull: PullRequest, typed: URLSearchParams): Html {
  return html`<form
    method="post"
    action="/projects/${project.domain}/pulls/${pull.number}/comment"
    class="stack card"
    data-stay="Sending…"
  >
    ${csrfField(session)} ${verbFields(addComment, { ...inForm, typed })}
    <button class="primary">Comment</button>
  </form>`
}
