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

/** A state as a word; the colour only repeats it. `word` says it otherwise. */
export function badge(state: string, word = state): Html {
  return html`<span class="badge ${tones.get(state) ?? ''}">${word}</span>`
}
