import { html } from 'hono/html'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Session } from '../../../../features/projects/sign-in.ts'
import { projectUsage } from '../../../../features/projects/usage.ts'
import type { RequestContext } from '../../../endpoint.ts'
import { layout } from '../../html/layout.ts'
import { respond } from '../../html/respond.ts'
import type { DashboardPorts } from '../../ports.ts'
import { withoutSecrets } from '../credential-fields.ts'
import type { RefusedForm } from '../refused-form.ts'
import { contextSection } from './context-section.ts'
import { hostForms } from './host-forms.ts'
import type { HostForm } from './host-forms.ts'
import { hostSection, isAsking } from './host-section.ts'
import { settingsForm, settingsValues } from './settings-form.ts'
import { usageTable } from './usage-table.ts'

const days = 30

/** The page, with a form as it was sent when it was refused: what was typed is there, but for secrets. */
export async function settingsPage(
  ports: DashboardPorts,
  { context, session }: { context: RequestContext; session: Session },
  project: Project,
  refused?: RefusedForm<HostForm | 'settings' | 'context'>,
): Promise<Response> {
  const [usage, host] = await Promise.all([
    projectUsage(ports.store.db, project.id, days),
    ports.hosts.describe(project),
  ])
  const { defaultModel, assistantModel } = ports.models
  const draft = (name: HostForm | 'settings' | 'context') =>
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
        : html`${hostSection(project, session, host, { now: ports.now(), interval: ports.hosts.interval })}
          ${hostForms(project, session, host, { draft, secretKey: ports.hosts.secretKey })}`
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
  const done = refused === undefined ? context.req.query('done') : undefined
  return respond(
    context,
    layout({ title: 'Settings', session, project, tab: 'settings', live, done }, body),
    refused?.refusal.status ?? 200,
  )
}
