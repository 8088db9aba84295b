import { html } from 'hono/html'
import type { Session } from '../../../features/projects/sign-in.ts'
import type { Html } from './html.ts'
import { maySend } from './may-press.ts'
import { sentence } from './parts.ts'

export function csrfField(session: Session): Html {
  return html`<input type="hidden" name="csrf" value="${session.csrfToken}" />`
}

interface Action {
  action: string
  label: string | Html
  /** A question that the browser asks before the form is sent. */
  confirm?: string
  kind?: 'primary' | 'danger'
  /** Hidden fields. */
  fields?: Record<string, string>
}

/** Shows beside a form why it was refused. The script of forms looks for this element too. */
export function formProblem(message: string | undefined): Html {
  return message === undefined
    ? html``
    : html`<p class="failure" role="alert" data-problem>${sentence(message)}</p>`
}

/** What browsers hold a number against before they send it. */
export interface Range {
  least: number | undefined
  most: number | undefined
  whole: boolean
}

interface Field {
  name: string
  label: string | Html
  /** The value given before; never set for secrets. */
  value?: string | null | undefined
  placeholder?: string
  maximum?: number
  numeric?: boolean
  /** Limits of a number. */
  range?: Range
  required?: boolean
  /** The id of a list of proposals. */
  list?: string
  /** Text by default. */
  type?: 'email' | 'password'
  /** What browsers and password managers fill in. */
  autocomplete?: string
  hint?: string
}

/**
 * A field for one line of text, which browsers neither remember nor correct. Its id is `prefix` followed by its
 * name.
 */
export function textField(field: Field, prefix = ''): Html {
  const id = `${prefix}${field.name}`
  return html`<label for="${id}">${field.label}</label>
    <input
      id="${id}"
      name="${field.name}"
      value="${field.value ?? ''}"
      placeholder="${field.placeholder ?? ''}"
      ${field.range ? rangeOf(field.range) : html` maxlength="${field.maximum ?? 1000}"`}
      autocomplete="${field.autocomplete ?? 'off'}"
      ${field.type === undefined ? '' : html` type="${field.type}"`}
      ${field.hint === undefined ? '' : html` aria-describedby="${id}-hint"`}
      autocapitalize="off"
      spellcheck="false"
      ${field.numeric ? html` inputmode="decimal"` : ''}
      ${field.required ? html` required` : ''}
      ${field.list === undefined ? '' : html` list="${field.list}"`}
    />${field.hint === undefined ? '' : html`<p class="hint" id="${id}-hint">${field.hint}</p>`}`
}

function rangeOf({ least, most, whole }: Range): Html {
  return html` type="number" inputmode="decimal"
  step="${whole ? 1 : 'any'}"${least === undefined ? '' : html` min="${least}"`}${most === undefined ? '' : html` max="${most}"`}`
}

export function checkBox(name: string, value: string, checked: boolean, label: string | Html): Html {
  return html`<label class="check"
    ><input type="checkbox" name="${name}" value="${value}" ${checked ? html` checked` : ''} />
    ${label}</label
  >`
}

/** A form with a single button, for those who may send it. */
export function buttonForm(session: Session, { action, label, confirm, kind, fields = {} }: Action): Html {
  if (!maySend(session, action)) return html``
  return html`<form
    method="post"
    action="${action}"
    ${confirm === undefined ? '' : html` data-confirm="${confirm}"`}
  >
    ${csrfField(session)}
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button class="${kind ?? ''}">${label}</button>
  </form>`
}

/** A value with a button that copies it, where scripts run. */
export function copyable(value: string, label: string): Html {
  return html`<span class="copyable"
    ><code>${value}</code
    ><button type="button" class="copy" data-copy aria-label="Copy ${label}">Copy</button></span
  >`
}

export function copyableBlock(value: string, label: string): Html {
  return html`<div class="copyable block">
    <pre tabindex="0"><code>${value}</code></pre>
    <button type="button" class="copy" data-copy aria-label="Copy ${label}">Copy</button>
  </div>`
}
