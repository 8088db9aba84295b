import { html } from 'hono/html'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import { projectUsage } from '../../../../features/projects/usage.ts'
import type { ModelUsageSum } from '../../../../features/projects/usage.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { csrfField } from '../../html/form.ts'
import type { Html } from '../../html/html.ts'
import { layout } from '../../html/layout.ts'
import { respond } from '../../html/respond.ts'
import { page, projectOf } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'

const days = 30

export function showSettingsEndpoint(ports: DashboardPorts): Endpoint {
  return page(ports, '/projects/{domain}/settings', async ({ context, session }) => {
    const project = await projectOf(ports, context)
    const usage = await projectUsage(ports.store.db, project.id, days)
    const { defaultModel, assistantModel } = ports.models
    const body = html`<h1>Settings</h1>
      ${settingsForm(project, session, { defaultModel, assistantModel })} ${contextRepositories(project)}
      <section>
        <h2>Usage, last ${days} days</h2>
        ${usage.length === 0 ? html`<p class="empty">No model was called yet.</p>` : usageTable(usage)}
      </section>`
    return respond(
      context,
      layout({ title: 'Settings', session, project, tab: 'settings', done: context.req.query('done') }, body),
    )
  })
}

function settingsForm(
  { domain, settings }: Project,
  session: Session,
  defaults: { defaultModel: string; assistantModel: string },
): Html {
  const { budget = {} } = settings
  return html`<form method="post" action="/projects/${domain}/settings" class="stack">
    ${csrfField(session)}
    <h2>Models</h2>
    <p class="muted">Empty fields leave it to the server.</p>
    ${text('model', 'Model of jobs', settings.model, defaults.defaultModel)}
    ${text('assistantModel', 'Model of the assistant', settings.assistantModel, defaults.assistantModel)}
    ${number('assistantTokensPerDay', 'Tokens of the assistant per day', settings.assistantTokensPerDay, 'no limit')}
    <h2>Limits of one prompt</h2>
    ${number('steps', 'Model calls', budget.steps, 'server’s limit')}
    ${number('tokens', 'Tokens', budget.tokens, 'server’s limit')}
    ${number('cost', 'US dollars', budget.cost, 'server’s limit')}
    ${number('minutes', 'Minutes of work', budget.minutes, 'server’s limit')}
    <h2>What the agent may do</h2>
    <label for="onProblems">When changes still have problems after three rounds</label>
    <select id="onProblems" name="onProblems">
      <option value="draft">open the pull request as a draft with the list</option>
      <option value="fail" ${settings.onProblems === 'fail' ? html` selected` : ''}>fail the job</option>
    </select>
    ${lines('allow', 'Files besides the documentation that it may change', settings.allow, 'examples/**/*.json')}
    ${lines('protect', 'Files that it never changes', settings.protect, 'legal/**')}
    <button class="primary">Save</button>
  </form>`
}

function text(name: string, label: string, value: string | undefined, placeholder: string): Html {
  return html`<label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      value="${value ?? ''}"
      placeholder="${placeholder}"
      maxlength="200"
      autocomplete="off"
      spellcheck="false"
    />`
}

function number(name: string, label: string, value: number | undefined, placeholder: string): Html {
  return html`<label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      value="${value ?? ''}"
      placeholder="${placeholder}"
      inputmode="decimal"
      autocomplete="off"
    />`
}

function lines(name: string, label: string, value: string[] | undefined, placeholder: string): Html {
  return html`<label for="${name}">${label}, one glob a line</label>
    <textarea id="${name}" name="${name}" rows="2" placeholder="${placeholder}" spellcheck="false">
${(value ?? []).join('\n')}</textarea>`
}

function contextRepositories({ domain, settings }: Project): Html {
  const repositories = settings.contextRepositories ?? []
  return html`<section>
    <h2>Context repositories</h2>
    <p class="muted">The agent reads and searches them, and never writes to them.</p>
    ${
      repositories.length === 0
        ? html`<p class="empty">
            None. Set them on the server:
            <code>docwright project set ${domain} --context name=path-or-url</code>
          </p>`
        : html`<ul>
            ${repositories.map(
              ({ name, location, ref }) =>
                html`<li><code>@${name}</code> ${location} <span class="muted">${ref}</span></li>`,
            )}
          </ul>`
    }
  </section>`
}

function usageTable(usage: readonly ModelUsageSum[]): Html {
  const count = (value: number): string => value.toLocaleString('en-US')
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Usage">
    <table>
      <thead>
        <tr>
          <th>For</th>
          <th>Model</th>
          <th>Calls</th>
          <th>Tokens in</th>
          <th>of them cached</th>
          <th>Tokens out</th>
          <th>US dollars</th>
        </tr>
      </thead>
      <tbody>
        ${usage.map(
          (sum) =>
            html`<tr>
              <td>${sum.surface === 'agent' ? 'Jobs' : 'Assistant'}</td>
              <td>${sum.model}</td>
              <td>${count(sum.calls)}</td>
              <td>${count(sum.inputTokens)}</td>
              <td>${count(sum.cachedInputTokens)}</td>
              <td>${count(sum.outputTokens)}</td>
              <td>${sum.cost === undefined ? 'unknown' : sum.cost.toFixed(4)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}
