import { html } from 'hono/html'
import { readPageReasons } from '../../../../features/agent/turns.ts'
import type { Change } from '../../../../features/agent/workspace/job-work.ts'
import { allow, type Caller } from '../../../../features/projects/allow.ts'
import { findProjectByDomain, type Project } from '../../../../features/projects/projects.ts'
import type { PullRequest } from '../../../../integrations/forges/local/pull-request-detail.ts'
import { hasUnstorable } from '../../../../lib/plain-text.ts'
import { judgePull, jobOfPull } from '../../../admin/judge-pull.ts'
import { pullNumberOf, pullOf } from '../../../admin/pulls.ts'
import { renderMarkdown } from '../../../docs/render-markdown.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { ago, badge } from '../../html/parts.ts'
import { respond, show } from '../../html/respond.ts'
import { askToSignIn, callerOf, openPage } from '../../page.ts'
import type { PagePorts } from '../../ports.ts'
import { readReviewRequest } from '../../review/review-request.ts'
import type { Reviewed } from '../../review/reviewed.ts'
import { showReview, showReviewFile } from '../../review/show-review.ts'
import { changedFileAlone, changeSections } from './change-sections.ts'
import { mergeBox } from './merge-box.ts'
import { conversation } from './pull-conversation.ts'
import { showHostedPull } from './show-hosted-pull.ts'

/** The page is open to people who are signed in, and to everybody who has the link from the job. */
export function showPullEndpoint(ports: PagePorts): Endpoint {
  return openPage(ports, '/projects/{domain}/pulls/{number}', async ({ context, session }) => {
    const name = context.req.param('domain') ?? ''
    const found = hasUnstorable(name) ? undefined : await findProjectByDomain(ports.store.db, name)
    const token = context.req.query('token')
    // Without a session and a valid token, an existing pull request looks like a missing one.
    const opens =
      found !== undefined &&
      token !== undefined &&
      (await ports.pullRequests.opens(found, pullNumberOf(context), token))
    if (!session && !opens) return askToSignIn(ports, context)
    const caller: Caller = session ? callerOf(session) : { kind: 'operator' }
    const project = allow(caller, 'getPullRequest', { name, project: found })
    if (project.kind === 'https' && session)
      return showHostedPull(ports, { context, session, caller, project })
    const pull = await pullOf(ports.pullRequests, context, project)
    const job = await jobOfPull(ports.store.db, project, pull)
    const reviewed: Reviewed = {
      project,
      ...(await ports.pullRequests.difference(project, pull)),
      page: `/projects/${project.domain}/pulls/${pull.number}`,
      checks: job?.checks ?? [],
      reasons: job ? await readPageReasons(ports.store.db, job.id) : new Map(),
      kept: new Set(),
      images: session !== undefined,
    }
    const request = readReviewRequest(context)
    // Comments on lines belong to the job, and are for people who may see it.
    const shown = session && job && { context, session, caller, job, reviewed, head: pull.headCommit }
    if (request.alone) {
      const file = shown ? changedFileAlone(ports, shown) : showReviewFile(ports, reviewed, request)
      return respond(context, await file)
    }
    const mergeability = await ports.pullRequests.mergeability(project, pull.number)
    const judgement = await judgePull(ports, project, pull, mergeability)
    const { conflicts, advice } = mergeability
    const sections = shown && (await changeSections(ports, shown))
    const now = ports.now()
    const body = html`${session ? html`<p class="trail"><a href="/projects/${project.domain}/pulls">Pull requests</a></p>` : ''}
      <h1>${pull.title} <span class="muted">#${pull.number}</span></h1>
      <p class="meta">
        ${badge(pull.state)}${pull.draft ? html` ${badge('draft')}` : ''}
        <span><code>${pull.head}</code> into <code>${pull.base}</code></span>
        <span class="muted"
          >opened
          ${ago(pull.createdAt, now)}${pull.closedAt ? html`, ${pull.state} ${ago(pull.closedAt, now)}` : ''}</span
        >
        ${job && session ? html`<a href="/projects/${project.domain}/jobs/${job.id}">Its job</a>` : ''}
      </p>
      ${mergeBox({ project, session, pull, judgement, conflicts, advice, job: session ? job : undefined })}
      ${
        sections
          ? html`${sections.changes} ${sections.comments}`
          : html`<section id="changes">
              <h2>Changes</h2>
              ${await showReview(ports, reviewed, request)}
            </section>`
      }
      <section>
        <h2>Description</h2>
        <div class="prose card">
          ${pull.body.trim() === '' ? html`<p class="muted">No description.</p>` : renderMarkdown(ports.readMarkdown, project.id, pull.body)}
        </div>
      </section>
      ${sections?.commits ?? ''} ${await conversation(ports, context, { project, session, pull })}`
    return show(
      context,
      {
        title: pull.title,
        session,
        project,
        tab: 'pulls',
        styles: ['components.css', 'review.css', 'comments.css'],
        scripts: ['review.js', ...(session ? (['comments.js'] as const) : [])],
      },
      body,
    )
  })
}

/** The two sides of a pull request of this server. */
export async function changeOfPull(
  { pullRequests }: Pick<PagePorts, 'pullRequests'>,
  project: Project,
  pull: PullRequest,
): Promise<Change> {
  return { ...(await pullRequests.difference(project, pull)), head: pull.headCommit }
}
