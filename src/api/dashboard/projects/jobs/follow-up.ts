import { html } from 'hono/html'
import type { Job } from '../../../../features/agent/jobs.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import { csrfField } from '../../../frame/html/form.ts'
import type { Html } from '../../../frame/html/html.ts'
import { mayPress } from '../../../frame/html/may-press.ts'
import type { ReadMarkdown } from '../../../render/markdown/read-markdown.ts'
import { renderMarkdown } from '../../../render/markdown/render-markdown.ts'

export function followUp(project: Project, session: Session, job: Job, typed: URLSearchParams): Html {
  if (!mayPress(session, 'sendMessage', project)) return html``
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
      data-draft
      rows="3"
      required
      maxlength="100000"
      placeholder="${job.question ? 'Answer the agent’s question' : 'Describe what to change'}"
    >
${typed.get('prompt') ?? ''}</textarea>
    <button class="primary">Send</button>
    ${job.status === 'active' ? html`<p class="muted">Runs after the prompts above.</p>` : ''}
  </form>`
}

/**
 * What the agent asks, with the form for the answer; empty without a question. The form stands beside the section, as that
 * for follow-ups does, so that the page shows the question to somebody who is just writing one.
 */
export function question(
  read: ReadMarkdown,
  project: Project,
  session: Session,
  job: Job,
  typed: URLSearchParams,
): Html {
  if (!job.question) return html``
  return html`<section>
      <h2>The agent has a question</h2>
      <div class="notice warning prose">${renderMarkdown(read, project.id, job.question.text)}</div>
    </section>
    ${followUp(project, session, job, typed)}`
}
