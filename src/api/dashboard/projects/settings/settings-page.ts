import { html } from 'hono/html'
import type { Project } from '../../../../features/projects/projects.ts'
import { projectUsage } from '../../../../features/projects/usage.ts'
import type { ModelUsageSum } from '../../../../features/projects/usage.ts'
import type { Endpoint } from '../../../endpoint.ts'
import type { Html } from '../../html/html.ts'
import { table } from '../../html/parts.ts'
import { show } from '../../html/respond.ts'
import { projectPage } from '../../page.ts'
import type { Visit } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'
import { withoutSecrets } from '../project-fields.ts'
import type { RefusedForm } from '../refused-form.ts'
import { contextSection } from './context-section.ts'
import { hostForms } from './host-forms.ts'
import type { HostForm } from './host-forms.ts'
import { hostSection, isAsking } from './host-section.ts'
import { settingsForm, settingsValues } from './settings-form.ts'

const days = 30

export type SettingsForm = HostForm | 'settings' | 'context'

export function showSettingsEndpoint(ports: DashboardPorts): Endpoint {
  return projectPage(ports, '/projects/{domain}/settings', 'getProject', ({ project, ...visit }) =>
    settingsPage(ports, visit, project),
  )
}

/** The page, with a form as it was sent when it was refused: what was typed is there, but for secrets. */
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
          <td>${sum.surface === 'agent' ? 'Jobs' : 'Assistant'}</td>
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
