import { html, raw } from 'hono/html'
import type { Html } from './html.ts'

/** Shapes of 16 by 16, drawn with lines in the colour of the text beside them. */
const shapes = {
  working: '<path d="M8 1.75a6.25 6.25 0 1 0 6.25 6.25"/>',
  clock: '<circle cx="8" cy="8" r="6.25"/><path d="M8 4.5V8l2.5 1.5"/>',
  question:
    '<circle cx="8" cy="8" r="6.25"/><path d="M6.2 6.3a1.85 1.85 0 1 1 2.6 1.7c-.5.25-.8.6-.8 1.2M8 11.3v.1"/>',
  open: '<circle cx="4" cy="3.5" r="1.75"/><circle cx="4" cy="12.5" r="1.75"/><circle cx="12" cy="12.5" r="1.75"/><path d="M4 5.25v5.5M12 10.75V6.5a3 3 0 0 0-3-3H8M9.75 1.75 8 3.5l1.75 1.75"/>',
  merged:
    '<circle cx="4" cy="3.5" r="1.75"/><circle cx="4" cy="12.5" r="1.75"/><circle cx="12" cy="9" r="1.75"/><path d="M4 5.25v5.5M4 5.25C4.5 7.5 7 9 10.25 9"/>',
  closed:
    '<circle cx="4" cy="3.5" r="1.75"/><circle cx="4" cy="12.5" r="1.75"/><circle cx="12" cy="12.5" r="1.75"/><path d="M4 5.25v5.5M12 10.75V8M10 2l4 4M14 2l-4 4"/>',
  done: '<circle cx="8" cy="8" r="6.25"/><path d="m5.25 8.25 2 2 3.5-4.25"/>',
  nothing: '<circle cx="8" cy="8" r="6.25"/><path d="M5.25 8h5.5"/>',
  unclear:
    '<path d="M2 3.25h12v8H8.5L5.5 14v-2.75H2z"/><path d="M6.75 6a1.3 1.3 0 1 1 1.8 1.2c-.35.15-.55.4-.55.8M8 9.4v.1"/>',
  failed: '<circle cx="8" cy="8" r="6.25"/><path d="m5.75 5.75 4.5 4.5M10.25 5.75l-4.5 4.5"/>',
  archived: '<path d="M1.75 2.75h12.5v3H1.75zM2.75 5.75v7.5h10.5v-7.5M6.25 8.5h3.5"/>',
  agent:
    '<rect x="2.25" y="4.75" width="11.5" height="8.5" rx="2"/><path d="M8 4.75v-2.5M5.75 8.5v1M10.25 8.5v1"/>',
  home: '<path d="M2.25 7 8 2.25 13.75 7v6.5H2.25zM6.5 13.5v-4h3v4"/>',
  problem: '<path d="M8 2 14.25 13.25H1.75zM8 6.25v3.25M8 11.4v.1"/>',
  chat: '<path d="M2 3.25h12v8H8.5L5.5 14v-2.75H2z"/>',
  settings:
    '<circle cx="8" cy="8" r="2.25"/><path d="M8 1.75v2M8 12.25v2M1.75 8h2M12.25 8h2M3.6 3.6 5 5M11 11l1.4 1.4M3.6 12.4 5 11M11 5l1.4-1.4"/>',
  book: '<path d="M8 3.75C6.5 2.5 4.25 2.25 2 2.5v10c2.25-.25 4.5 0 6 1.25 1.5-1.25 3.75-1.5 6-1.25v-10c-2.25-.25-4.5 0-6 1.25zM8 3.75v10"/>',
  search: '<circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.25 3.25"/>',
  plus: '<path d="M8 3v10M3 8h10"/>',
  person:
    '<circle cx="8" cy="5.5" r="2.75"/><path d="M2.75 13.75c.5-3 2.5-4.25 5.25-4.25s4.75 1.25 5.25 4.25"/>',
  list: '<path d="M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.1M2.5 8h.1M2.5 12h.1"/>',
  check: '<path d="m3 8.5 3.25 3.25L13 4.75"/>',
  edit: '<path d="M10.75 2.75 13.25 5.25 5.5 13H3v-2.5z"/>',
} as const

export type IconName = keyof typeof shapes

/**
 * It repeats what is written beside it, so screen readers skip it.
 * @param tone a class for its colour, such as `is-good`
 */
export function icon(name: IconName, tone = ''): Html {
  return html`<svg
    class="icon icon-${name} ${tone}"
    viewBox="0 0 16 16"
    width="16"
    height="16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    ${raw(shapes[name])}
  </svg>`
}
