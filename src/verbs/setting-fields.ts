import { numberOrText } from '../lib/amount.ts'
import { html } from 'hono/html'
import { withCapital } from '../api/frame/html/parts.ts'
import {
  changeOf,
  fieldsOfForm,
  itemsOf,
  valueOfField,
  type SettingField,
} from '../features/projects/settings/fields.ts'
import type { ProjectSettings } from '../features/projects/settings/schemas.ts'
import { checkBox, textField } from '../api/frame/html/form.ts'
import type { Html } from '../api/frame/html/html.ts'
import { fieldOf } from '../api/frame/read-form.ts'

type SettingsForm = NonNullable<SettingField['form']>

/** The change that a form asks for. A field that a form of before a restart lacks changes nothing. */
export function readSettings(
  name: SettingsForm,
  form: URLSearchParams,
  before: ProjectSettings,
): Record<string, unknown> {
  return changeOf(
    fieldsOfForm(name).flatMap((field) =>
      // Browsers send no box that is not checked.
      form.has(field.name) || field.kind === 'truth' ? [[field, readField(field, form)] as const] : [],
    ),
    before,
  )
}

/** Null for an empty field, and for the default of a choice. */
function readField(field: SettingField, form: URLSearchParams): unknown {
  const text = fieldOf(form, field.name)
  if (text === '') return null
  switch (field.kind) {
    case 'truth':
      return text === 'yes' ? true : null
    case 'number':
      return numberOrText(text)
    case 'choice':
      return text === field.standard && !field.keepsStandard ? null : text
    case 'list': {
      const items = itemsOf(field, text)
      return items.length === 0 ? null : items
    }
    case 'text':
      return text
  }
}

/** Settings as the fields of a form. */
export function settingsValues(name: SettingsForm, settings: ProjectSettings): URLSearchParams {
  const values = new URLSearchParams()
  for (const field of fieldsOfForm(name)) {
    const value = valueOfField(field, settings)
    if (value !== undefined && value !== false) values.set(field.name, textOf(field, value))
  }
  return values
}

function textOf({ typed }: SettingField, value: unknown): string {
  if (Array.isArray(value)) return value.join(typed === 'names' || typed === 'logins' ? ', ' : '\n')
  return value === true ? 'yes' : String(value)
}

/** One field of a form, for another page. */
export function settingsField(name: SettingsForm, field: string, values: URLSearchParams): Html {
  return html`${fieldsOfForm(name)
    .filter((one) => one.name === field)
    .map((one) => input(one, values.get(one.name)))}`
}

/**
 * The fields of a form below one of its headings.
 * @param isHosted whether the repository is at a git host
 * @param model prints a field for the name of a model
 */
export function settingsFields(
  name: SettingsForm,
  values: URLSearchParams,
  {
    section,
    isHosted = true,
    model = textInput,
  }: {
    section?: string
    isHosted?: boolean
    model?: (field: SettingField, value: string | null) => Html
  } = {},
): Html[] {
  return fieldsOfForm(name)
    .filter((field) => field.section === section && (isHosted || field.hosted !== true))
    .map((field) => {
      const value = values.get(field.name)
      return field.typed === 'model' ? model(field, value) : input(field, value)
    })
}

function input(field: SettingField, value: string | null): Html {
  switch (field.kind) {
    case 'truth':
      return checkBox(field.name, 'yes', value === 'yes', field.label)
    case 'choice':
      return choiceInput(field, value)
    case 'list':
      return field.typed === undefined ? textArea(field, value) : textInput(field, value)
    case 'number':
    case 'text':
      return field.typed === 'passage' ? textArea(field, value) : textInput(field, value)
  }
}

function textInput(field: SettingField, value: string | null): Html {
  const { name, kind, most, placeholder = '' } = field
  const numeric = kind === 'number'
  // The names of a list have limits one by one.
  const maximum = numeric ? 20 : kind === 'list' ? 10_000 : (most ?? 1000)
  return textField({ name, label: labelOf(field), placeholder, value, maximum, numeric })
}

function textArea(field: SettingField, value: string | null): Html {
  const { name, placeholder, rows = 3 } = field
  return html`<label for="${name}">${labelOf(field)}</label>
    <textarea id="${name}" name="${name}" rows="${rows}" placeholder="${placeholder}" spellcheck="false">
${value ?? ''}</textarea>`
}

function choiceInput({ name, label, choices = {}, standard }: SettingField, value: string | null): Html {
  const chosen = value ?? standard
  return html`<label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${Object.entries(choices).map(([choice, shown]) => html`<option value="${choice}" ${choice === chosen ? html` selected` : ''}>${withCapital(shown)}</option>`)}
    </select>`
}

function labelOf({ label, explain }: SettingField): Html {
  return explain === undefined
    ? html`${label}`
    : html`${label} <span class="explain">${withCode(explain)}</span>`
}

/** Text with `code` between backticks. */
function withCode(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
}
