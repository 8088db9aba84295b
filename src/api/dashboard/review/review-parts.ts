import { html } from 'hono/html'
import type { CheckColumn } from '../../../store/columns.ts'
import type { Html } from '../html/html.ts'
import type { FileContext, Place } from './reviewed.ts'

/** `1 line`, `1,200 lines`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}

/** What stands below a line: its problems, and what others say about it. */
export function belowLine({ problems, shown, options }: FileContext, place: Place): Html[] {
  const own = place.side === 'new' ? (problems.get(place.line) ?? []) : []
  if (own.length > 0) shown.add(place.line)
  const comments = options.commentsAt?.(place)
  return [...own.map(problem), ...(comments === undefined ? [] : [comments])]
}

/** A problem that the checks found. */
export function problem({ check, severity, message, hint, line }: CheckColumn): Html {
  return html`<p class="review-problem ${severity}">
    <span class="badge ${severity === 'error' ? 'bad' : 'busy'}"
      >${severity === 'error' ? 'problem' : 'warning'}</span
    >
    ${line === null ? '' : html`<span class="muted">Line ${line}:</span> `}${message}
    <span class="muted">${check}${hint === null ? '' : html`. ${hint}`}</span>
  </p>`
}

/** Rows in one step when somebody asks for more. */
const steps = { lines: 1000, blocks: 100 } as const

interface Part {
  from: number
  shown: number
  total: number
  noun: keyof typeof steps
}

/** Rows with links to those before and behind them, where only a part of all is shown. */
export function moreLink(
  { more }: FileContext,
  { from, shown, total, noun }: Part,
  row: (className: string, content: Html) => Html,
  rows: readonly Html[],
): Html {
  const left = total - from - shown
  const as = noun === 'lines' ? 'source' : 'rendered'
  const step = steps[noun]
  return html`${from === 0 ? '' : row('review-earlier', html`<a href="${more({ from: String(Math.max(0, from - step)), as })}">Earlier ${noun}</a>`)}${rows}${
    left <= 0
      ? ''
      : row(
          'review-more',
          html`<a data-review="more" href="${more({ from: String(from + shown), as })}"
              >Show ${Math.min(left, step).toLocaleString('en')} more ${noun}</a
            >
            <span class="muted">${left.toLocaleString('en')} left</span>`,
        )
  }`
}

export function stepOf(noun: keyof typeof steps): number {
  return steps[noun]
}
