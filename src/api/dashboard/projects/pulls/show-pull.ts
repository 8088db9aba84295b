import { html } from 'hono/html'
import { findJobByBranch, type Job } from '../../../../features/agent/jobs.ts'
import { readPageReasons } from '../../../../features/agent/turns.ts'
import { allow, type Caller } from '../../../../features/projects/allow.ts'
import { findProjectByDomain, type Project } from '../../../../features/projects/projects.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import type { Mergeability } from '../../../../integrations/forges/local/merge-pull-request.ts'
import type { PullRequestComment } from '../../../../integrations/forges/local/pull-request-comments.ts'
import type { PullRequest } from '../../../../integrations/forges/local/pull-request-detail.ts'
import { hasUnstorable } from '../../../../lib/plain-text.ts'
import { pullNumberOf, pullOf } from '../../../admin/pulls.ts'
import { buttonForm, csrfField } from '../../html/form.ts'
import type { Html } from '../../html/html.ts'
import { ago, badge } from '../../html/parts.ts'
import { respond, show } from '../../html/respond.ts'
import { askToSignIn, callerOf, openPage, typedInto } from '../../page.ts'
import type { Reviewed } from '../../review/reviewed.ts'
import { readReviewRequest } from '../../review/review-request.ts'
import { showReview, showReviewFile } from '../../review/show-review.ts'
import { problemList } from '../jobs/problem-list.ts'
import type { PagePorts } from '../../ports.ts'
import { renderMarkdown } from '../../../docs/render-markdown.ts'
import type { Endpoint } from '../../../endpoint.ts'

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
    const pull = await pullOf(ports.pullRequests, context, project)
    const job = await findJobByBranch(ports.store.db, project.id, pull.head)
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
    if (request.alone) return respond(context, await showReviewFile(ports, reviewed, request))
    const mergeability =
      pull.state === 'open' ? await ports.pullRequests.mergeability(project, pull.number) : undefined
    const comments = await ports.pullRequests.comments(project, pull.number)
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
      </p>
      ${mergeability ? mergeBox(project, session, pull, mergeability, session && job) : ''}
      <section>
        <h2>Changes</h2>
        ${await showReview(ports, reviewed, request)}
      </section>
      <section class="prose card">
        ${pull.body.trim() === '' ? html`<p class="muted">No description.</p>` : renderMarkdown(ports.readMarkdown, project.id, pull.body)}
      </section>
      ${commentSection(ports, { project, session, pull, comments, now, typed: typedInto(context, `/projects/${project.domain}/pulls/${pull.number}/comment`) })}`
    return show(
      context,
      {
        title: pull.title,
        session,
        project,
        tab: 'pulls',
        styles: ['components.css', 'review.css'],
        scripts: ['review.js'],
      },
      body,
    )
  })
}

function mergeBox(
  project: Project,
  session: Session | undefined,
  pull: PullRequest,
  { state, conflicts, advice }: Mergeability,
  job: Job | undefined,
): Html {
  const base = `/projects/${project.domain}/pulls/${pull.number}`
  const mergeable = state === 'clean'
  const verdict = mergeable
    ? html`<p>
        ${pull.draft ? 'It has no conflicts with' : 'This can be merged into'} <code>${pull.base}</code>.
      </p>`
    : html`<p>
          <strong>
            ${state === 'conflicts' ? html`Conflicts with <code>${pull.base}</code>:` : 'It cannot be merged now.'}
          </strong>
        </p>
        ${
          conflicts.length === 0
            ? ''
            : html`<ul>
                ${conflicts.map((path) => html`<li class="path">${path}</li>`)}
              </ul>`
        }
        <p class="${conflicts.length > 0 ? 'muted' : ''}">${advice ?? `It is ${state} already`}.</p>`
  const merge = session && mergeable ? mergeForm(session, base, pull) : ''
  const close = session
    ? buttonForm(session, {
        action: `${base}/close`,
        label: 'Close',
        confirm: `Close #${pull.number} without merging?`,
      })
    : html`<a class="button" href="/sign-in?return=${encodeURIComponent(base)}">Sign in to merge or close</a>`
  return html`<section class="card merge ${mergeable && !pull.draft ? '' : 'blocked'}">
    ${verdict} ${pull.draft ? html`${faults(project, job)} ${merge}` : ''}
    <div class="buttons">${pull.draft ? '' : merge}${close}</div>
  </section>`
}

/** A draft is merged with a second step, by a button that does not invite to it. */
function mergeForm(session: Session, base: string, { number, base: into, draft }: PullRequest): Html {
  const action = `${base}/merge`
  const confirm = `Merge #${number} into ${into}?`
  if (!draft) return buttonForm(session, { action, label: 'Merge', kind: 'primary', confirm })
  return html`<form method="post" action="${action}" class="stack" data-confirm="${confirm} It is a draft.">
    ${csrfField(session)}
    <label class="check"
      ><input type="checkbox" name="draft" value="yes" required /> Merge it although it is a draft</label
    >
    <button class="danger">Merge the draft</button>
  </form>`
}

/** Why a pull request is a draft, as far as its job knows. */
function faults(project: Project, job: Job | undefined): Html {
  const problems = (job?.checks ?? []).filter(({ severity }) => severity === 'error')
  const more = job
    ? html`<a href="/projects/${project.domain}/jobs/${job.id}">Tell its job</a> what should be different.`
    : ''
  if (problems.length === 0)
    return html`<p>
      <strong>It is a draft:</strong> somebody should look at it before it is merged. ${more}
    </p>`
  return html`<p>
      <strong
        >It is a draft, because ${problems.length === 1 ? 'a problem is' : `${problems.length} problems are`}
        left.</strong
      >
      ${more}
    </p>
    ${problemList(problems)}`
}

/** The comments, which the agent is given with the next follow-up, and a form for people who are signed in. */
function commentSection(
  ports: Pick<PagePorts, 'readMarkdown'>,
  {
    project,
    session,
    pull,
    comments,
    now,
    typed,
  }: {
    project: Project
    session: Session | undefined
    pull: PullRequest
    comments: PullRequestComment[]
    now: Date
    typed: URLSearchParams
  },
): Html {
  return html`<section>
    <h2>Comments</h2>
    ${comments.length === 0 ? html`<p class="empty">None yet. The agent reads comments with the next follow-up of the job.</p>` : ''}
    ${comments.map(
      ({ n, author, body, createdAt }) =>
        html`<article class="prose card" id="comment-${n}">
          <p class="muted">${author}, ${ago(createdAt, now)}</p>
          ${renderMarkdown(ports.readMarkdown, project.id, body)}
        </article>`,
    )}
    ${session ? commentForm(project, session, pull, typed) : ''}
  </section>`
}

function commentForm(project: Project, session: Session, pull: PullRequest, typed: URLSearchParams): Html {
  return html`<form
    method="post"
    action="/projects/${project.domain}/pulls/${pull.number}/comment"
    class="stack card"
    data-stay="Sending…"
  >
    ${csrfField(session)}
    <label for="body">Comment</label>
    <textarea
      id="body"
      name="body"
      rows="3"
      required
      maxlength="20000"
      placeholder="Say what the agent should know or do differently"
    >
${typed.get('body') ?? ''}</textarea>
    <button class="primary">Comment</button>
  </form>`
}
