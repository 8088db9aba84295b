import { html } from 'hono/html'
import type { Html } from './html.ts'

/** A table that scrolls by itself where it is too wide. A column without a name holds buttons. */
export function table(label: string, columns: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${columns.map((name) => html`<th>${name === '' ? html`<span class="hidden">Actions</span>` : name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`
}
