import { html } from 'hono/html'
import type { Html } from './html.ts'

const tones: ReadonlyMap<string, string> = new Map([
  ['active', 'busy'],
  ['running', 'busy'],
  ['syncing', 'busy'],
  ['open', 'good'],
  ['completed', 'good'],
  ['ready', 'good'],
  ['merged', 'done'],
  ['delivered', 'good'],
  ['failed', 'bad'],
  ['disabled', 'bad'],
  ['revoked', 'bad'],
  ['expired', 'bad'],
])

/** A state as a word; the colour only repeats it. */
export function badge(state: string): Html {
  return html`<span class="badge ${tones.get(state) ?? ''}">${state}</span>`
}
