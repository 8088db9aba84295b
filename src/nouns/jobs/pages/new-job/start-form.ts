import { html } from 'hono/html'
import { longestAboutChange } from '../../../../features/agent/about-change.ts'
import { commonTemplates } from '../../../../features/agent/templates.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import type { Models } from '../../../../integrations/models/model.ts'
import { csrfField } from '../../../../api/frame/html/form.ts'
import type { Html } from '../../../../api/frame/html/html.ts'
import type { AnsweredQuestion } from '../../../../features/assistant/insights/work-of-answer.ts'
import { verbFields } from '../../../../verbs/form.ts'
import { createJob } from '../../verbs.ts'
import { understood, usesBuiltin } from './templates.ts'

interface Ports {
  models: Models
}

interface Given {
  /** What was typed before the form was refused. */
  typed: URLSearchParams
  /** The prompt to begin with. */
  prompt?: string | undefined
  /** Of the field for it. */
  words?: { label?: string; rows?: number }
  /** The answer of the assistant that the job is about. */
  answer?: AnsweredQuestion | undefined
}

/** The form that starts a job by a prompt. */
export function startForm(
  { domain, ref, settings }: Project,
  session: Session,
  { typed, prompt = '', words = {}, answer }: Given,
): Html {
  const begun = typed.has('prompt') ? typed : new URLSearchParams({ prompt })
  return html`<form
    id="start-job"
    method="post"
    action="/projects/${domain}/jobs${answer ? '/new' : ''}"
    class="stack card"
    data-stay="Starting…"
  >
    ${csrfField(session)}
    ${
      answer === undefined
        ? ''
        : html`<input type="hidden" name="thread" value="${answer.threadId}" />
            <input type="hidden" name="question" value="${answer.n}" />`
    }
    ${verbFields(createJob, { only: ['prompt'], typed: begun, words: { prompt: words } })}
    ${
      answer === undefined
        ? html`<label for="about">Code change to document <span class="muted">(optional)</span></label>
            <input
              id="about"
              name="about"
              maxlength="${longestAboutChange}"
              placeholder="4f2c9e1, #128 or v2.1..v2.2"
              value="${typed.get('about') ?? ''}"
              aria-describedby="about-hint"
              autocomplete="off"
              spellcheck="false"
            />
            <p class="muted" id="about-hint">
              A commit, pull request, or range. For a context repository, start with <code>@name</code>. The
              agent starts from the diff and the pages that it affects.
              <a href="/projects/${domain}/impact">See which pages a change affects</a>
            </p>`
        : ''
    }
    <details data-key="options" ${typed.get('base') || typed.has('draft') ? html` open` : ''}>
      <summary>Options</summary>
      <div class="stack">
        ${verbFields(createJob, { only: ['base', 'draft'], typed, words: { base: { placeholder: ref } } })}
      </div>
    </details>
    <button class="primary">Start job</button>
    ${settings.signOff === 'person' ? signOffNote(session) : ''}
  </form>`
}

/** People see beforehand that commits will name them. */
function signOffNote({ person: { name, email } }: Session): Html | string {
  if (email === undefined) return ''
  return html`<p class="muted">
    The commits are authored and signed off by you: <code>${name} &lt;${email}&gt;</code>.
  </p>`
}

const suggested = 4

/** The form with a few templates below it, for lists of jobs. */
export function startJob(
  ports: Pick<Ports, 'models'>,
  project: Project,
  session: Session,
  typed: URLSearchParams,
): Html {
  const templates = understood(commonTemplates, usesBuiltin(project, ports))
  const base = `/projects/${project.domain}/jobs/new`
  return html`<div class="start-here" ${typed.size > 0 ? html` data-typed` : ''}>
    ${startForm(project, session, { typed })}
    <p class="starters">
      <span class="muted">Or start with</span>
      ${templates.slice(0, suggested).map(({ name, title }) => html`<a class="starter" href="${base}?template=${encodeURIComponent(name)}">${title}</a>`)}
      <a href="${base}">All templates and forms</a>
    </p>
  </div>`
}
