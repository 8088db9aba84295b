import { html } from 'hono/html'
import { textField } from '../../html/form.ts'
import type { Html } from '../../html/html.ts'

/** The fields of a form of settings, filled with its values. Each may have a text below its label that explains it. */
export function createFields(values: URLSearchParams) {
  const label = (text: string, more: string | Html | undefined): Html =>
    more === undefined ? html`${text}` : html`${text} <span class="explain">${more}</span>`
  return {
    text: (name: string, text: string, placeholder = '', more?: string | Html): Html =>
      textField({ name, label: label(text, more), placeholder, value: values.get(name), maximum: 1000 }),
    number: (name: string, text: string, placeholder = 'as the server says', more?: string | Html): Html =>
      textField({
        name,
        label: label(text, more),
        placeholder,
        value: values.get(name),
        maximum: 20,
        numeric: true,
      }),
    lines: (name: string, text: string, placeholder: string, more?: string | Html, rows = 3): Html =>
      html`<label for="${name}">${label(text, more)}</label>
        <textarea id="${name}" name="${name}" rows="${rows}" placeholder="${placeholder}" spellcheck="false">
${values.get(name) ?? ''}</textarea>`,
    check: (name: string, text: string): Html =>
      html`<label class="check"
        ><input
          type="checkbox"
          name="${name}"
          value="yes"
          ${values.get(name) === 'yes' ? html` checked` : ''}
        />
        ${text}</label
      >`,
    choice: (name: string, text: string, options: readonly [value: string, label: string][]): Html =>
      html`<label for="${name}">${text}</label>
        <select id="${name}" name="${name}">
          ${options.map(([value, shown]) => html`<option value="${value}" ${values.get(name) === value ? html` selected` : ''}>${shown}</option>`)}
        </select>`,
  }
}
