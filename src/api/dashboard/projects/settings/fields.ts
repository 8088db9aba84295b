import { html } from 'hono/html'
import { textField } from '../../../frame/html/form.ts'
import type { Html } from '../../../frame/html/html.ts'

/** What the fields of settings are called, by their names. */
export const labels = {
  site: 'Address of the published site',
  labels: 'Labels',
  reviewers: 'Reviewers',
  assignees: 'Assignees',
  draft: 'Open them as drafts',
  branchPrefix: 'Branch prefix',
  signOff: 'Sign-off in commits',
  onProblems: 'When changes still have problems after three rounds',
  trusted: 'Whose comments are follow-ups',
  assistantQueries: 'What it searches for first',
  assistantFiles: 'Pass images in questions on to its model, which must be able to look at them',
  retentionDays: 'Days to keep conversations',
  assistantInstructions: 'Instructions in your own words',
  assistantStarters: 'Questions to begin with',
  assistantRefuse: 'Topics that it does not talk about',
  assistantContact: 'Who helps where it cannot',
  enrichQuestions: 'Model that writes questions',
  enrichVectors: 'Model for vectors',
  enrichCeiling: 'US dollars a month, at most',
  allow: 'Files besides the documentation that it may change',
  protect: 'Files that it never changes',
  allowedHosts: 'Hosts that pages may load images, files and frames from',
  allowedImports: 'Modules that pages may import',
  steps: 'Model calls',
  tokens: 'Tokens',
  cost: 'US dollars',
  minutes: 'Minutes of work',
  assistantTokensPerDay: 'Tokens of the assistant',
  model: 'Model of jobs',
  assistantModel: 'Model of the assistant',
} as const

type Field = keyof typeof labels

/** The field of a setting whose own name is another one. */
const renamed: ReadonlyMap<string, Field> = new Map([
  ['questions', 'enrichQuestions'],
  ['vectors', 'enrichVectors'],
  ['ceiling', 'enrichCeiling'],
])

/** Calls a setting as its form does, where a message begins with its path in the API. */
export function nameField(message: string): string {
  const [before, path = '', ...rest] = message.split('`')
  if (before !== '' || rest.length === 0) return message
  const names = path.split('.').map((part) => renamed.get(part) ?? part)
  const field = names.find((name) => Object.hasOwn(labels, name)) as Field | undefined
  return field === undefined ? message : `“${labels[field]}”${rest.join('`')}`
}

/** The fields of a form of settings, filled with its values. Each may have a text below its label that explains it. */
export function createFields(values: URLSearchParams) {
  const label = (name: Field, more: string | Html | undefined): Html =>
    more === undefined ? html`${labels[name]}` : html`${labels[name]} <span class="explain">${more}</span>`
  return {
    text: (name: Field, placeholder = '', more?: string | Html): Html =>
      textField({ name, label: label(name, more), placeholder, value: values.get(name), maximum: 1000 }),
    number: (name: Field, placeholder = 'as the server says', more?: string | Html): Html =>
      textField({
        name,
        label: label(name, more),
        placeholder,
        value: values.get(name),
        maximum: 20,
        numeric: true,
      }),
    lines: (name: Field, placeholder: string, more?: string | Html, rows = 3): Html =>
      html`<label for="${name}">${label(name, more)}</label>
        <textarea id="${name}" name="${name}" rows="${rows}" placeholder="${placeholder}" spellcheck="false">
${values.get(name) ?? ''}</textarea>`,
    check: (name: Field): Html =>
      html`<label class="check"
        ><input
          type="checkbox"
          name="${name}"
          value="yes"
          ${values.get(name) === 'yes' ? html` checked` : ''}
        />
        ${labels[name]}</label
      >`,
    choice: (name: Field, options: readonly [value: string, label: string][]): Html =>
      html`<label for="${name}">${labels[name]}</label>
        <select id="${name}" name="${name}">
          ${options.map(([value, shown]) => html`<option value="${value}" ${values.get(name) === value ? html` selected` : ''}>${shown}</option>`)}
        </select>`,
  }
}
