import { html } from 'hono/html'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import type { PullRequestComment } from '../../../../integrations/forges/local/pull-request-comments.ts'
import type { PullRequest } from '../../../../integrations/forges/local/pull-request-detail.ts'
import { renderMarkdown } from '../../../docs/render-markdown.ts'
import type { RequestContext } from '../../../endpoint.ts'
import { csrfField } from '../../html/form.ts'
import type { Html } from '../../html/html.ts'
import { ago } from '../../html/parts.ts'
import { typedInto } from '../../page.ts'
import type { PagePorts } from '../../ports.ts'

interface ShownPull {
  project: Project
  session: Session | undefined
  pull: PullRequest
}

/** The comments on the whole, which the agent is given with the next follow-up. */
export async function conversation(
  ports: PagePorts,
  context: RequestContext,
  { project, session, pull }: ShownPull,
): Promise<Html> {
  const comments = await ports.pullRequests.comments(project, pull.number)
  const typed = typedInto(context, `/projects/${project.domain}/pulls/${pull.number}/comment`)
  return html`<section id="conversation">
    <h2>Comments</h2>
    ${comments.length === 0 ? html`<p class="empty">None yet. The agent reads comments with the next follow-up of the job.</p>` : ''}
    ${comments.map((comment) => commentCard(ports, project, comment))}
    ${session ? commentForm(project, session, pull, typed) : ''}
  </section>`
}

function commentCard(
  ports: Pick<PagePorts, 'readMarkdown' | 'now'>,
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
