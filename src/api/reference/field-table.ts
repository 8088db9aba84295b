import { html } from 'hono/html'
import type { Html } from '../dashboard/html/html.ts'
import { nameOf } from './document.ts'
import type { Schema } from './document.ts'
import { fieldsOf, rulesOf, typeOf } from './fields.ts'

/** A response always has its fields, so only those are marked that may be missing. */
export function fieldTable(schema: Schema, side: 'request' | 'response'): Html {
  const mark = (required: boolean): Html | string => {
    if (required === (side === 'response')) return ''
    return html`<br /><small class="muted">${required ? 'required' : 'may be missing'}</small>`
  }
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Fields">
    <table class="fields">
      <thead>
        <tr>
          <th>Name</th>
          <th>Type</th>
          <th>Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${fieldsOf(schema).map(
          ({ name, schema: field, required }) =>
            html`<tr>
              <td><code>${name}</code>${mark(required)}</td>
              <td>${type(field)}</td>
              <td class="wide">
                ${inlineText(field.description ?? field.items?.description ?? '')}
                ${rulesOf(field).map((rule) => html`<small class="muted">${rule}</small> `)}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function type(field: Schema): Html {
  const name = nameOf(field) ?? (field.items && nameOf(field.items))
  return name === undefined
    ? html`${typeOf(field)}`
    : html`${field.items ? 'array of ' : ''}<a href="#object-${name}">${name}</a>`
}

/** Text of the document, with its code in backticks. */
export function inlineText(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
