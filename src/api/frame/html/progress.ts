import { html } from 'hono/html'
import type { Html } from './html.ts'

/** How far something is, as a bar with its numbers. A total that is not known yet shows that something goes on. */
export function progressBar(
  label: string,
  { phase, done, total }: { phase: string; done: number; total: number | null },
): Html {
  const known = total !== null && total > 0
  const text = known
    ? `${phase}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`
    : done > 0
      ? `${phase}: ${done.toLocaleString('en')}`
      : phase
  return html`<div class="under-way" role="group" aria-label="${label}">
    <p><strong>${label}</strong> <span class="muted">${text}</span></p>
    ${known ? html`<progress max="${total}" value="${Math.min(done, total)}" aria-label="${text}"></progress>` : html`<progress aria-label="${text}"></progress>`}
  </div>`
}

/** How much of a limit is used, with its numbers. */
export function meterBar(label: string, used: number, most: number, shown: string): Html {
  const share = most === 0 ? 1 : Math.min(1, used / most)
  const tone = share >= 1 ? 'bad' : share >= 0.8 ? 'busy' : 'good'
  const width = Math.round(share * 1000) / 10
  return html`<div class="meter ${tone}">
    <p><span>${label}</span> <span class="muted">${shown}</span></p>
    <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="all" width="100" height="4"></rect>
      <rect class="used" width="${width}" height="4"></rect>
    </svg>
  </div>`
}
