import { html } from 'hono/html'
import { z } from '@hono/zod-openapi'
import type { Range } from '../../../features/assistant/insights/list-searches.ts'
import { AppError } from '../../../lib/errors.ts'
import type { RequestContext } from '../../../api/endpoint.ts'
import { formProblem } from '../../../api/frame/html/form.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { periodOf } from '../period.ts'
import type { Interval } from '../../../features/assistant/insights/insight-words.ts'

const choices = [7, 30, 90] as const

/** The range of a page, from its address. */
export interface Period {
  range: Range
  interval: Interval
  /** One of the choices; undefined for two dates. */
  days: number | undefined
  from: string
  to: string
  /** What was wrong with the dates, in place of which the usual range is shown. */
  problem: string | undefined
  /** For other addresses with the same range. */
  query: string
}

const day = z.union([z.literal(''), z.iso.date()])

export function readPeriod(context: RequestContext): Period {
  const queryDays = Number(context.req.query('days'))
  const days = choices.find((choice) => choice === queryDays) ?? 30
  const usual = { ...lastDays(days), days, from: '', to: '', problem: undefined, query: `days=${days}` }
  const [from = '', to = ''] = ['from', 'to'].map((name) => context.req.query(name)?.trim())
  if (from === '' && to === '') return usual
  const read = z.object({ from: day, to: day }).safeParse({ from, to })
  if (!read.success) return { ...usual, problem: 'Give days such as 2026-01-31' }
  try {
    const period = periodOf({ from: from || undefined, to: to || undefined })
    const query = new URLSearchParams({ ...(from && { from }), ...(to && { to }) }).toString()
    return { ...period, days: undefined, from, to, problem: undefined, query }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...usual, from, to, problem: error.message.replaceAll('`', '“').replaceAll('“ ', '” ') }
  }
}

/** Whole days of UTC, today included, so that each column stands for a day. */
function lastDays(days: number): { range: Range; interval: Interval } {
  const tomorrow = new Date()
  tomorrow.setUTCHours(24, 0, 0, 0)
  return {
    range: { from: new Date(tomorrow.getTime() - days * 86_400_000), to: tomorrow },
    interval: 'day',
  }
}

/** @param kept other parameters of the address */
export function periodForm(path: string, period: Period, kept: Record<string, string> = {}): Html {
  const link = (days: number): string =>
    `${path}?${new URLSearchParams({ ...kept, days: String(days) }).toString()}`
  return html`<div class="period">
    <nav class="filter" aria-label="Time">
      ${choices.map(
        (days) =>
          html`<a href="${link(days)}" ${days === period.days ? html` aria-current="true"` : ''}
            >${days} days</a
          >`,
      )}
    </nav>
    <form method="get" action="${path}">
      ${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <label for="from">From</label>
      <input id="from" type="date" name="from" value="${period.from}" />
      <label for="to">to</label>
      <input id="to" type="date" name="to" value="${period.to}" />
      <button>Show</button>
    </form>
    ${formProblem(period.problem)}
  </div>`
}
