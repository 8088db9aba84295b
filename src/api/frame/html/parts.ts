import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { Html } from './html.ts'
import { dayText, timeText } from '../../../lib/text/time-words.ts'

const tones: ReadonlyMap<string, string> = new Map([
  ['active', 'info'],
  ['running', 'info'],
  ['syncing', 'info'],
  ['warning', 'busy'],
  ['open', 'good'],
  ['completed', 'good'],
  ['ready', 'good'],
  ['merged', 'done'],
  ['delivered', 'good'],
  ['failed', 'bad'],
  ['nothing done', 'bad'],
  ['needs input', 'busy'],
  ['waiting', 'info'],
  ['disabled', 'bad'],
  ['revoked', 'bad'],
  ['expired', 'bad'],
])

/** A message of the server with a full stop, whether or not it has one. */
export function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`
}

/** A state as a word; the colour only repeats it. `word` is shown instead of the state. */
export function badge(state: string, word = state): Html {
  return html`<span class="badge ${tones.get(state) ?? ''}">${withCapital(word)}</span>`
}

/** As badges begin. */
export function withCapital(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
}

const units = [
  { name: 'day', milliseconds: 86_400_000 },
  { name: 'hour', milliseconds: 3_600_000 },
  { name: 'minute', milliseconds: 60_000 },
] as const

/** `3 minutes ago`, with the exact time on hover; a date after a month. */
export function ago(date: Date, now: Date): Html {
  const distance = date.getTime() - now.getTime()
  const unit = units.find(({ milliseconds }) => Math.abs(distance) >= milliseconds)
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  const exact = timeText(date)
  const text =
    Math.abs(distance) > 30 * 86_400_000
      ? dayText(date)
      : unit
        ? format.format(Math.round(distance / unit.milliseconds), unit.name)
        : distance > 0
          ? 'in under a minute'
          : 'just now'
  return html`<time datetime="${date.toISOString()}" title="${exact}">${text}</time>`
}

/** A link to an address from outside, shown as text unless it is http or https. */
export function externalLink(address: string, label: string): Html {
  const web = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
  return web ? html`<a href="${address}" rel="noreferrer noopener">${label}</a>` : html`${label}`
}

/**
 * A table that scrolls on its own when it is too wide. A column without a name holds buttons. On small screens each row is an
 * entry of a list instead, with the names of the columns before its cells.
 * @param shape `titles`: such entries need no names of columns. `figures`: it stays a table, as its numbers are compared
 */
export function table(
  label: string,
  columns: readonly string[],
  rows: readonly Html[],
  shape: 'entries' | 'titles' | 'figures' = 'entries',
): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table ${shape === 'figures' ? '' : html`class="entries"`}>
      <thead>
        <tr>
          ${columns.map((name) => html`<th>${name === '' ? html`<span class="hidden">Actions</span>` : name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${shape === 'entries' ? rows.map(async (row) => withLabels(await row, columns)) : rows}
      </tbody>
    </table>
  </div>`
}

/** Each cell but the first, which is the title of an entry, gets the name of its column for small screens. */
async function withLabels(row: string, columns: readonly string[]): Promise<HtmlEscapedString> {
  const labels = await Promise.all(
    columns.map(async (name, at) =>
      at === 0 || name === '' ? '' : String(await html` data-label="${name}"`),
    ),
  )
  let at = 0
  return raw(row.replaceAll(/<td(?=[\s>])/g, (tag) => `${tag}${labels[at++] ?? ''}`))
}
