import { html } from 'hono/html'
import type { LimitUseNow } from '../usage/table.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { ShownHost, ProjectHosts } from '../projects/setup/project-hosts.ts'
import { projectUsage } from '../usage/table.ts'
import type { Models } from '../../integrations/models/model.ts'
import type { OfferedModels } from '../../integrations/models/offered-model.ts'
import type { Store } from '../../store/database.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { csrfField, formProblem } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { show } from '../../api/frame/html/respond.ts'
import { refusedAt, type Visit, type Pages } from '../../api/frame/pages.ts'
import { contextSection } from './context-section.ts'
import { settingsValues } from '../../verbs/setting-fields.ts'
import {
  groupHeading,
  groupPath,
  groups,
  inSettings,
  settingsFrame,
  type SettingsGroup,
} from '../../api/frame/settings-tab.ts'
import { folderSection, generalFacts } from './general-section.ts'
import { groupFields } from './group-fields.ts'
import { hostForms, hostSection, isAsking, type Drafts } from './host-section.ts'
import { modelsSection } from './model-choice.ts'
import { limitsSection, usageDays, usageSection } from './usage-section.ts'

export interface SettingsPorts {
  store: Store
  models: Models
  now(): Date
  hosts: ProjectHosts
  /** Seconds between polls of a host that sends no webhooks. */
  hostInterval: number
  /** Where the key that encrypts new secrets comes from. */
  secretKeyOf: 'DOCWRIGHT_SECRET_KEY' | 'file'
  /** Warnings about limits that do not fully apply, such as on cost where no price is known. */
  warningsOf(project: Project): string[]
  offeredModels: OfferedModels
  /** What of the limits is used now. */
  limitUses(project: Project): Promise<LimitUseNow[]>
}

export function showSettings(pages: Pages, ports: SettingsPorts, name: SettingsGroup): Endpoint {
  return pages.projectPage(
    groupPath({ domain: '{domain}' }, name),
    'changeSettings',
    ({ project, ...visit }) => settingsPage(ports, visit, project, name),
  )
}

/** What became of trying a model. */
export interface TriedModel {
  model: string
  outcome: string
  works: boolean
}

/** The page of one group. A refused form keeps the values that were typed, except secrets. */
export async function settingsPage(
  ports: SettingsPorts,
  visit: Visit,
  project: Project,
  name: SettingsGroup,
  tried?: TriedModel,
): Promise<Response> {
  const draft: Drafts = (path) => refusedAt(visit.context, `/projects/${project.domain}/${path}`)
  const host = name === 'host' ? await ports.hosts.describe(project) : undefined
  const body = html`${groupHeading(name)}
  ${name === 'host' ? hostBody(ports, visit, project, host, draft) : await groupBody(ports, visit, project, name, { draft, tried })}`
  const title = groups.find((group) => group.name === name)?.title ?? 'Settings'
  return show(
    visit.context,
    {
      title: name === 'general' ? 'Settings' : title,
      session: visit.session,
      project,
      ...inSettings(project, name),
      styles: ['manage.css'],
      live: host !== undefined && isAsking(host),
      saysRefusal: true,
    },
    settingsFrame(project, name, body),
  )
}

function hostBody(
  ports: SettingsPorts,
  { session }: Visit,
  project: Project,
  host: ShownHost | undefined,
  draft: Drafts,
): Html {
  if (host === undefined) return folderSection(project, session, draft('host/repository'))
  return html`${hostSection(project, session, host, { now: ports.now(), interval: ports.hostInterval })}
  ${hostForms(project, session, host, { draft, secretKey: ports.secretKeyOf })}`
}

async function groupBody(
  ports: SettingsPorts,
  { session }: Visit,
  project: Project,
  name: Exclude<SettingsGroup, 'host'>,
  { draft, tried }: { draft: Drafts; tried: TriedModel | undefined },
): Promise<Html> {
  const { store, models } = ports
  const sent = draft(`settings/${name}`)
  const hasModels = name === 'agent' || name === 'assistant'
  const offer = hasModels ? await ports.offeredModels() : { models: [], problems: [] }
  const inUse =
    name === 'assistant'
      ? (project.settings.assistantModel ?? models.assistantModel)
      : (project.settings.model ?? models.defaultModel)
  const form = html`<form
    method="post"
    action="/projects/${project.domain}/settings/${name}"
    class="stack form card"
    data-stay="Saving…"
  >
    ${csrfField(session)}
    ${groupFields[name]({
      project,
      values: sent?.values ?? settingsValues(name, project.settings),
      defaults: models,
      offer,
      warnings: ports.warningsOf(project),
    })}
    ${formProblem(sent?.message)}
    <button class="primary">Save</button>
  </form>`
  return html`${form} ${hasModels ? modelsSection(project, session, { name, offer, tried, inUse }) : ''}
  ${name === 'general' ? generalFacts(project) : ''}
  ${name === 'agent' ? contextSection(project, session, draft('context')) : ''}
  ${
    name === 'limits'
      ? html`${limitsSection(await ports.limitUses(project))}
        ${usageSection(await projectUsage(store.db, project.id, usageDays))}`
      : ''
  }`
}
