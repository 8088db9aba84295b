import { html } from 'hono/html'
import type { ContextColumn } from '../../../store/columns.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { withCapital } from '../../../api/frame/html/parts.ts'

const tones: ReadonlyMap<string, string> = new Map([
  ['answered', 'good'],
  ['partial', 'busy'],
  ['weak', 'busy'],
  ['uncited', 'busy'],
  ['unanswered', 'bad'],
  ['failed', 'bad'],
  ['in_work', 'info'],
  ['published', 'done'],
  ['still_open', 'bad'],
])

const words: ReadonlyMap<string, string> = new Map([
  ['partial', 'Partly answered'],
  ['weak', 'Closest excerpts only'],
  ['uncited', 'Without sources'],
  ['clarified', 'Asked to clarify'],
  ['in_work', 'In progress'],
  ['published', 'Merged, awaiting verification'],
  ['still_open', 'Still open'],
])

const causes: ReadonlyMap<string, string> = new Map([
  ['nothing_found', 'nothing was found'],
  ['weak', 'only loosely related results'],
  ['off_topic', 'about something else'],
])

const gapCauses: ReadonlyMap<string, string> = new Map([
  ['nothing_found', 'found nothing'],
  ['weak', 'found only similar pages'],
  ['uncited', 'answered without sources'],
  ['partial', 'partly answered'],
  ['downvoted', 'rated down'],
  ['search', 'searches with no results'],
])

const callerWords: ReadonlyMap<string, string> = new Map([
  ['web', 'Web page'],
  ['widget', 'Widget'],
  ['chat', 'Chat'],
  ['api', 'Program'],
  ['mcp', 'Agent'],
])

/** A question as it was asked. A long one scrolls, which the keyboard must be able to do as well. */
export function questionText(question: string): Html {
  return html`<p class="question" ${question.length > 1000 ? html` tabindex="0"` : ''}>${question}</p>`
}

/** What the reader had selected for a question, which may say nothing without it. */
export function selectedText(context: readonly ContextColumn[]): Html {
  return html`${context.map(
    ({ type, value, path }) =>
      html`<figure class="selected">
        <figcaption class="muted">
          ${type === 'code' ? 'About this code' : 'About this text'}${path === null ? '' : html` of <code>${path}</code>`}
        </figcaption>
        <blockquote>${quoted(type, value)}</blockquote>
      </figure>`,
  )}`
}

function quoted(type: ContextColumn['type'], value: string): Html {
  const kind = type === 'code' ? 'code' : ''
  return html`<p class="${kind}" ${value.length > 500 ? html` tabindex="0"` : ''}>${value}</p>`
}

/** What became of an answer or a gap, as people say it. */
export function stateWord(state: string): string {
  return withCapital(words.get(state) ?? state)
}

/** The same as a badge, whose colour only repeats the word. */
export function stateBadge(state: string): Html {
  return html`<span class="badge ${tones.get(state) ?? ''}">${stateWord(state)}</span>`
}

export function causeWord(cause: string): string {
  return causes.get(cause) ?? cause
}

export function gapCauseWord(cause: string): string {
  return gapCauses.get(cause) ?? cause
}

export function callerWord(caller: string): string {
  return callerWords.get(caller) ?? caller
}

export function whole(number: number): string {
  return number.toLocaleString('en')
}

/** Of parts of nothing there is no share. */
export function share(part: number, all: number): string {
  return all === 0 ? '–' : `${Math.round((part / all) * 100)}%`
}

/** US dollars; small sums with more digits. */
export function dollars(cost: number | null): string {
  if (cost === null) return 'no price known'
  if (cost === 0) return '$0'
  return cost < 0.1 ? `$${cost.toPrecision(2)}` : `$${cost.toFixed(2)}`
}

export function seconds(milliseconds: number | null): string {
  if (milliseconds === null) return '–'
  return milliseconds < 1000
    ? `${milliseconds} ms`
    : `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`
}

export function shortened(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= length ? line : `${line.slice(0, length).toWellFormed()} …`
}
