import { html } from 'hono/html'
import type { Project } from '../../features/projects/projects.ts'
import { ownCommand } from '../../lib/own-command.ts'
import { guidanceFile } from '../../site/guidance.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { settingsFields } from '../../verbs/setting-fields.ts'
import type { SettingsGroup } from '../../api/frame/settings-tab.ts'
import { modelField, type Offer } from './model-choice.ts'

export interface FieldsInput {
  project: Project
  /** As they are stored, or as they were typed into a form that was refused. */
  values: URLSearchParams
  defaults: { defaultModel: string; assistantModel: string }
  offer: Offer
  /** What the limits do not cover. */
  warnings: readonly string[]
}

/** The fields of each group’s form, with what is said between them. */
export const groupFields: Readonly<Record<Exclude<SettingsGroup, 'host'>, (input: FieldsInput) => Html>> = {
  general: ({ values }) => html`${settingsFields('general', values)}`,
  agent: agentFields,
  assistant: assistantFields,
  search: ({ project, values }) =>
    html`<p class="muted">
        See the cost first, with the models that you have in mind:
        <code>${ownCommand} project enrich ${project.domain} --estimate</code>
      </p>
      ${settingsFields('search', values)}`,
  policy: ({ values }) => html`${settingsFields('policy', values)}`,
  limits: ({ values, warnings }) =>
    html`<h2>Limits of one prompt</h2>
      <p class="muted">
        A job stops when it reaches a limit. Its changes are saved. Empty fields use the server limit.
      </p>
      <div class="field-row">
        ${settingsFields('limits', values, { section: 'Limits of one prompt' }).map((field) => html`<div class="stack">${field}</div>`)}
      </div>
      ${warnings.map((text) => html`<p class="notice warning">${text}.</p>`)}
      <h2>Daily limit</h2>
      ${settingsFields('limits', values, { section: 'Daily limit' })}`,
}

function agentFields({ project, values, defaults, offer }: FieldsInput): Html {
  const isHosted = project.kind !== 'path'
  return html`${settingsFields('agent', values, { model: modelInput(defaults.defaultModel, offer) })}
    <h2>Pull requests</h2>
    <p class="muted">Applies to new pull requests. Options your git host doesn’t support are ignored.</p>
    ${settingsFields('agent', values, { section: 'Pull requests', isHosted })}
    <h2>Branches and commits</h2>
    ${settingsFields('agent', values, { section: 'Branches and commits' })}`
}

function assistantFields({ project, values, defaults, offer }: FieldsInput): Html {
  return html`${settingsFields('assistant', values, { model: modelInput(defaults.assistantModel, offer) })}
    <h2>What shapes its answers</h2>
    ${guidanceOfRepository(project)}
    ${settingsFields('assistant', values, { section: 'What shapes its answers' })}`
}

/** @param standard the model that the server uses where none is set */
function modelInput(standard: string, offer: Offer) {
  return ({ name, label }: { name: string; label: string }, value: string | null): Html =>
    modelField({ name, label, value, standard }, offer)
}

function guidanceOfRepository({ assistantFile: file }: Project): Html {
  if (file === undefined)
    return html`<p class="muted">
      You can also set these in the repository, in <code>${guidanceFile}</code>.
    </p>`
  const { instructions, starters = [], refuse = [], contact } = file.guidance
  return html`<p class="muted">
      The repository also asks for this in <code>${file.path}</code> (commit
      <code>${file.commit.slice(0, 10)}</code>):
    </p>
    <pre>
${[instructions ?? [], starters.map((one) => `Question: ${one}`), refuse.map((one) => `Refuse: ${one}`), contact === undefined ? [] : `Contact: ${contact}`].flat().join('\n') || '(nothing)'}</pre>`
}
