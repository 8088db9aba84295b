import { html } from 'hono/html'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import { renderMarkdown } from '../../../docs/render-markdown.ts'
import { csrfField } from '../../html/form.ts'
import type { Html } from '../../html/html.ts'
import { ago } from '../../html/time.ts'
import type { PageDependencies, PullRequest, PullRequestComment } from '../../ports.ts'

/** What people say, which the agent is told with the next follow-up; with a form for those who signed in. */
export function commentSection(
  ports: Pick<PageDependencies, 'readMarkdown'>,
  {
    project,
    session,
    pull,
    comments,
    now,
  }: {
    project: Project
    session: Session | undefined
    pull: PullRequest
    comments: PullRequestComment[]
    now: Date
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
    ${session ? commentForm(project, session, pull) : ''}
  </section>`
}

function commentForm(project: Project, session: Session, pull: PullRequest): Html {
  return html`<form
    method="post"
    action="/projects/${project.domain}/pulls/${pull.number}/comment"
    class="stack card"
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
    ></textarea>
    <button class="primary">Comment</button>
  </form>`
}
