import { html } from 'hono/html'
import type { Html } from './html.ts'

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
  const exact = `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const text =
    Math.abs(distance) > 30 * 86_400_000
      ? exact.slice(0, 10)
      : unit
        ? format.format(Math.round(distance / unit.milliseconds), unit.name)
        : distance > 0
          ? 'in under a minute'
          : 'just now'
  return html`<time datetime="${date.toISOString()}" title="${exact}">${text}</time>`
}
