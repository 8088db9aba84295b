import { html } from 'hono/html'
import type { Job } from '../../../features/agent/jobs.ts'
import type { Project } from '../../../features/projects/projects.ts'
import { withoutChoices } from '../../../features/agent/choices.ts'
import type { Session } from '../../../features/projects/sign-in.ts'
import { csrfField } from '../../../api/frame/html/form.ts'
import type { ChoiceColumn } from '../../../store/columns.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { icon } from '../../../api/frame/html/icons.ts'
import { mayPress } from '../../../api/frame/html/may-press.ts'
import type { ReadMarkdown } from '../../../api/render/markdown/read-markdown.ts'
import { renderMarkdown } from '../../../api/render/markdown/render-markdown.ts'
import { verbFields } from '../../../verbs/form.ts'
import { sendMessage } from '../verbs.ts'

const answering = { label: 'Your answer', placeholder: 'Answer the agent’s question' }

export function followUp(project: Project, session: Session, job: Job, typed: URLSearchParams): Html {
  if (!mayPress(session, 'sendMessage', project)) return html``
  return html`<form
    method="post"
    action="/projects/${project.domain}/jobs/${job.id}/message"
    class="stack card"
    data-stay="Sending…"
  >
    ${csrfField(session)}
    ${verbFields(sendMessage, { only: ['prompt'], required: ['prompt'], typed, words: job.question ? { prompt: answering } : {} })}
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
  const { text, choices } = job.question
  return html`<section class="question-card">
      <h2>${icon('question')}The agent has a question</h2>
      <div class="asks prose">${renderMarkdown(read, project.id, withoutChoices(text, choices))}</div>
      ${choices.length === 0 ? '' : choiceButtons(project, session, job, choices)}
    </section>
    ${followUp(project, session, job, typed)}`
}

/** Each answer that the agent offers is a button that sends it. */
function choiceButtons(project: Project, session: Session, job: Job, choices: readonly ChoiceColumn[]): Html {
  if (!mayPress(session, 'sendMessage', project)) return html``
  return html`<form
    method="post"
    action="/projects/${project.domain}/jobs/${job.id}/message"
    class="choices"
    aria-label="Answers"
  >
    ${csrfField(session)}
    ${choices.map(
      ({ label, note, suggested }) =>
        html`<button name="prompt" value="${label}">
          <span>${label}</span>
          ${note === undefined ? '' : html`<small>${note}</small>`}
          ${suggested ? html`<span class="badge good">Suggested</span>` : ''}
        </button>`,
    )}
  </form>`
}
