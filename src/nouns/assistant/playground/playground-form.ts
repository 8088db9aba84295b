import { html } from 'hono/html'
import type { Project } from '../../../features/projects/projects.ts'
import type { Session } from '../../../features/projects/sign-in.ts'
import type { Models } from '../../../integrations/models/model.ts'
import { csrfField, textField } from '../../../api/frame/html/form.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import type { Asked } from './asked.ts'
import { baseOf } from '../../../api/frame/assistant-tab.ts'
import { longestQuestion } from '../inputs.ts'

interface Ports {
  models: Models
}

/** The form for a first question, or for one more in a conversation. */
export function playgroundForm(
  { models }: Pick<Ports, 'models'>,
  session: Session,
  project: Project,
  { question, currentPath, history, models: [model = '', against = ''] }: Asked,
): Html {
  const isFirst = history.length === 0
  const path = `${baseOf(project)}/playground`
  const own = project.settings.assistantModel ?? models.assistantModel
  const known = [own, models.fallbackOf(own), project.settings.model ?? models.defaultModel, 'builtin']
  const offered = [...new Set(known)].filter((name) => name !== undefined)
  const options = (chosen: string): Html =>
    html`<option value="">${own} (the project’s)</option>
      ${offered
        .filter((name) => name !== own)
        .map(
          (name) => html`<option value="${name}" ${name === chosen ? html` selected` : ''}>${name}</option>`,
        )}`
  return html`<form method="post" action="${path}" class="stack card ask" data-ask>
      ${csrfField(session)}
      ${isFirst ? '' : html`<input type="hidden" name="history" value="${JSON.stringify(history)}" />`}
      <label for="question">${isFirst ? 'Question' : 'Follow-up'}</label>
      <textarea
        id="question"
        name="question"
        rows="2"
        required
        maxlength="${longestQuestion}"
        placeholder="${isFirst ? 'How do I get started?' : 'And on Windows?'}"
      >
${question}</textarea>
      <details data-key="options" ${currentPath !== '' || model !== '' || against !== '' ? html` open` : ''}>
        <summary>Page, model, comparison</summary>
        <div class="fields">
          <div>
            ${textField({ name: 'page', label: 'Current page', placeholder: '/guides/install', value: currentPath, maximum: 200 })}
          </div>
          <div>
            <label for="model">Model</label>
            <select id="model" name="model">
              ${options(model)}
            </select>
          </div>
          ${
            offered.length < 2
              ? ''
              : html`<div>
                  <label class="check"
                    ><input
                      type="checkbox"
                      name="compare"
                      value="yes"
                      ${against === '' ? '' : html` checked`}
                    />
                    Compare with</label
                  >
                  <select id="against" name="against" aria-label="The other model">
                    ${options(against)}
                  </select>
                </div>`
          }
        </div>
      </details>
      <div class="buttons">
        <button class="primary">Ask</button>
        <button type="button" hidden data-stop>Stop</button>
        ${isFirst ? '' : html`<a class="button" href="${path}">New conversation</a>`}
      </div>
      <p class="hidden" role="status" data-progress></p>
    </form>
    <template data-pending>
      <section class="answers">
        <article class="answer">
          <h2>Answer</h2>
          <p class="pending" data-text></p>
          <p class="muted" data-status></p>
        </article>
      </section>
    </template>`
}
