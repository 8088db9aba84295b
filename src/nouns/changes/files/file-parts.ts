import { html } from 'hono/html'
import type { CheckColumn } from '../../../store/columns.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import type { FileContext, Place } from './reviewed.ts'
import { visible } from '../../../api/frame/html/visible.ts'

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
    <span class="muted">${check}${line === null ? '' : html`, line ${line}`}:</span>
    ${visible(message)}${hint === null ? '' : html`. <span class="muted">${hint}</span>`}
  </p>`
}

/** Rows in one step when somebody asks for more. */
const steps = { lines: 1000, blocks: 100 } as const

/** Rows in one part of the page, which is brought up to date as one. */
export const partSizes = { lines: 100, blocks: 20 } as const

interface Shown<Row> {
  from: number
  whole: boolean
  rows: readonly (readonly Row[])[]
  total: number
  noun: keyof typeof steps
}

/** The rows, part by part, with links to those before and behind them where only some of all are shown. */
export function rowParts<Row>(
  { file, more }: FileContext,
  { from, whole, rows, total, noun }: Shown<Row>,
  print: (rows: readonly Row[], from: number) => Html,
): Html {
  const as = noun === 'lines' ? 'source' : 'rendered'
  const address = (start: number, count?: number): string =>
    more({
      from: String(start),
      as,
      ...(count !== undefined && { count: String(count) }),
      ...(whole && { whole: '1' }),
    })
  const step = steps[noun]
  let at = from
  const parts = rows.map((part) => {
    const start = at
    at += part.length
    const isLarge = noun === 'lines' && part.length >= partSizes.lines
    // The last part of a file may have got more rows when it is asked for again.
    const size = Math.max(part.length, partSizes[noun])
    return html`<div
      class="review-part${isLarge ? ' large' : ''}"
      id="${file.id}-p${start}"
      data-part="${address(start, size)}"
    >
      ${print(part, start)}
    </div>`
  })
  const left = total - at
  return html`<div class="review-rows">
    ${from === 0 ? '' : html`<p class="review-earlier"><a href="${address(Math.max(0, from - step))}">Earlier ${noun}</a></p>`}
    ${parts}
    ${
      left <= 0
        ? ''
        : html`<p class="review-more">
            <a data-review="more" href="${address(at)}"
              >Show ${Math.min(left, step).toLocaleString('en')} more ${noun}</a
            >
            <span class="muted">${left.toLocaleString('en')} left</span>
          </p>`
    }
  </div>`
}

export function stepOf(noun: keyof typeof steps): number {
  return steps[noun]
}
