import { html } from 'hono/html'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import { projectUsage, type ModelUsageSum } from '../../../../features/projects/usage.ts'
import { buttonForm, csrfField, formProblem, textField } from '../../html/form.ts'
import type { Html } from '../../html/html.ts'
import { table } from '../../html/parts.ts'
import { show } from '../../html/respond.ts'
import { projectPage, type Visit } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'
import type { RefusedForm } from '../project-fields.ts'
import { withoutSecrets } from '../../read-form.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { hostForms, hostSection, isAsking, type Draft, type HostForm } from './host-section.ts'
import { settingsForm, settingsValues } from './settings-form.ts'

const days = 30

const surfaces = { agent: 'Jobs', assistant: 'Assistant', enrichment: 'Search by meaning' }

export type SettingsForm = HostForm | 'settings' | 'context'

export function showSettingsEndpoint(ports: DashboardPorts): Endpoint {
  return projectPage(ports, '/projects/{domain}/settings', 'getProject', ({ project, ...visit }) =>
    settingsPage(ports, visit, project),
  )
}

/** The settings page. A refused form keeps the values that were typed, except secrets. */
export async function settingsPage(
  ports: DashboardPorts,
  { context, session }: Visit,
  project: Project,
  refused?: RefusedForm<SettingsForm>,
): Promise<Response> {
  const [usage, host] = await Promise.all([
    projectUsage(ports.store.db, project.id, days),
    ports.hosts.describe(project),
  ])
  const { defaultModel, assistantModel } = ports.models
  const draft = (name: SettingsForm) =>
    refused?.form === name
      ? { values: withoutSecrets(refused.values), problem: refused.refusal.message }
      : undefined
  const { values, problem } = draft('settings') ?? {
    values: settingsValues(project.settings),
    problem: undefined,
  }
  const body = html`<h1>Settings</h1>
    ${
      host === undefined
        ? ''
        : html`${hostSection(project, session, host, { now: ports.now(), interval: ports.hostInterval })}
          ${hostForms(project, session, host, { draft, secretKey: ports.secretKeyOf })}`
    }
    <section>
      ${settingsForm(project, session, {
        values,
        problem,
        defaults: { defaultModel, assistantModel },
        warnings: ports.warningsOf(project),
      })}
    </section>
    ${contextSection(project, session, draft('context'))}
    <section>
      <h2>Usage, last ${days} days</h2>
      ${usage.length === 0 ? html`<p class="empty">No model was called yet.</p>` : usageTable(usage)}
    </section>`
  const live = host !== undefined && refused === undefined && isAsking(host)
  return show(
    context,
    { title: 'Settings', session, project, tab: 'settings', live },
    body,
    refused?.refusal.status ?? 200,
  )
}

function usageTable(usage: readonly ModelUsageSum[]): Html {
  const count = (value: number): string => value.toLocaleString('en-US')
  return table(
    'Usage',
    ['For', 'Model', 'Calls', 'Tokens in', 'of them cached', 'Tokens out', 'US dollars'],
    usage.map(
      (sum) =>
        html`<tr>
          <td>${surfaces[sum.surface]}</td>
          <td>${sum.model}</td>
          <td>${count(sum.calls)}</td>
          <td>${count(sum.inputTokens)}</td>
          <td>${count(sum.cachedInputTokens)}</td>
          <td>${count(sum.outputTokens)}</td>
          <td>${sum.cost === undefined ? 'unknown' : sum.cost.toFixed(4)}</td>
        </tr>`,
    ),
  )
}

/** The context repositories, which the agent reads besides the project's own. */
function contextSection({ domain, settings }: Project, session: Session, draft: Draft | undefined): Html {
  const repositories = settings.contextRepositories ?? []
  const base = `/projects/${domain}/context`
  const text = (name: string, label: string | Html, placeholder: string, required: boolean): Html =>
    textField({ name, label, placeholder, required, value: draft?.values.get(name) }, 'context-')
  return html`<section>
    <h2>Context repositories</h2>
    <p class="muted">The agent reads and searches them, and never writes to them.</p>
    ${
      repositories.length === 0
        ? html`<p class="empty">None yet. Add the repository of the product, for example.</p>`
        : html`<dl class="facts">
            ${repositories.map(
              ({ name, location, ref }) =>
                html`<div>
                  <dt><code>@${name}</code></dt>
                  <dd class="with-button">
                    <span>${location} <span class="muted">branch ${ref}</span></span>
                    ${buttonForm(session, {
                      action: `${base}/remove`,
                      label: 'Remove',
                      kind: 'danger',
                      confirm: `Remove @${name}? The agent reads it no more from the next prompt on. The repository itself is left alone.`,
                      fields: { name },
                    })}
                  </dd>
                </div>`,
            )}
          </dl>`
    }
    <details class="create" data-key="context" ${draft ? html` open` : ''}>
      <summary>Add a context repository</summary>
      <form method="post" action="${base}" class="stack form" autocomplete="off" data-stay="Trying it…">
        ${csrfField(session)}
        ${text('name', html`Name <span class="muted">(how the agent calls it)</span>`, 'product', true)}
        ${text('location', 'Address of the repository', 'https://github.com/example/product', true)}
        ${text('ref', html`Branch <span class="muted">(empty: the default one)</span>`, 'main', false)}
        <p class="muted">
          On the project’s own site its credential is used, elsewhere the server’s. A folder on the server is
          named there, beside all others: <code>docwright project set ${domain} --context product=/path</code>
        </p>
        ${formProblem(draft?.problem)}
        <button class="primary">Try and add</button>
      </form>
    </details>
  </section>`
}
