import { html } from 'hono/html'
import type { Session } from '../../../features/projects/sign-in.ts'
import type { Html } from './html.ts'

export function csrfField(session: Session): Html {
  return html`<input type="hidden" name="csrf" value="${session.csrfToken}" />`
}

interface Action {
  action: string
  label: string
  /** A question to ask before. */
  confirm?: string
  kind?: 'primary' | 'danger'
  /** Hidden fields. */
  fields?: Record<string, string>
}

/** A form that is one button. */
export function buttonForm(session: Session, { action, label, confirm, kind, fields = {} }: Action): Html {
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

/** A value to copy, with its button where scripts run. */
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
