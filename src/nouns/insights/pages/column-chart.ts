import { scaleBand, scaleLinear } from 'd3-scale'
import { stack } from 'd3-shape'
import { html } from 'hono/html'
import type { Html } from '../../../api/frame/html/html.ts'
import { table } from '../../../api/frame/html/parts.ts'

export interface ChartSeries {
  name: string
  values: readonly number[]
  /** Its colour and mark; by its place when absent. */
  colour?: number
}

export interface Chart {
  /** Unique on its page. */
  id: string
  title: string
  /** What the chart shows, for those who do not see it. */
  description: string
  /** The days, or the first days of weeks and months. */
  starts: readonly string[]
  /** What one start stands for. */
  interval: string
  series: readonly ChartSeries[]
  format?: (value: number) => string
  /** What is said where everything is 0. */
  empty: string
}

const [width, height] = [720, 180]
const mostColours = 6

/** Stacked columns over time with a legend, and all figures in a table. Nothing is told by colour alone. */
export function columnChart(chart: Chart): Html {
  const { id, title, series, format = (value) => value.toLocaleString('en') } = chart
  const total = series.reduce((sum, one) => sum + sumOf(one), 0)
  return html`<figure class="chart card" aria-labelledby="${id}-heading">
    <h2 id="${id}-heading">${title}</h2>
    ${
      total === 0
        ? html`<p class="empty">${chart.empty}</p>`
        : html`${legend(series, format, id)} ${drawing(chart, format)}
            <details data-key="table-${id}">
              <summary>The figures as a table</summary>
              ${figures(chart, format)}
            </details>`
    }
  </figure>`
}

function sumOf({ values }: ChartSeries): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function drawing(chart: Chart, format: (value: number) => string): Html {
  const { id, title, description, starts, series } = chart
  const rows = starts.map((_, at) => Object.fromEntries(series.map(({ values }, n) => [n, values[at] ?? 0])))
  const layers = stack<Record<string, number>, number>().keys(series.map((_, n) => n))(rows)
  const highest = Math.max(...layers.flat().map(([, top]) => top))
  // Half a question is none.
  const steps = chart.format ? 4 : Math.min(4, highest)
  const y = scaleLinear().domain([0, highest]).nice(steps).range([height, 0])
  const x = scaleBand<number>()
    .domain(starts.map((_, at) => at))
    .range([0, width])
    .paddingInner(0.25)
    .paddingOuter(0.1)
  const ticks = y.ticks(steps)
  const column = (at: number): Html =>
    html`<g>
      <title>
        ${starts[at]}: ${series.map(({ name, values }) => `${name} ${format(values[at] ?? 0)}`).join(', ')}
      </title>
      ${layers.map((layer, n) => {
        const [low = 0, high = 0] = layer[at] ?? []
        return high === low
          ? ''
          : html`<rect
              x="${round(x(at) ?? 0)}"
              y="${round(y(high))}"
              width="${round(x.bandwidth())}"
              height="${round(y(low) - y(high))}"
              fill="url(#${id}-p${n})"
            />`
      })}
    </g>`
  return html`<div class="plot">
    <div class="scale" aria-hidden="true">
      ${ticks.toReversed().map((tick) => html`<span>${format(tick)}</span>`)}
    </div>
    <svg
      viewBox="0 0 ${width} ${height}"
      preserveAspectRatio="none"
      role="img"
      aria-labelledby="${id}-title ${id}-desc"
    >
      <title id="${id}-title">${title}</title>
      <desc id="${id}-desc">${description}</desc>
      <defs>${series.map((one, n) => pattern(id, one, n))}</defs>
      ${ticks.map((tick) => html`<line class="grid" x1="0" x2="${width}" y1="${round(y(tick))}" y2="${round(y(tick))}" />`)}
      ${starts.map((_, at) => column(at))}
    </svg>
    <div class="days" aria-hidden="true">
      ${ends(starts).map((day) => html`<span>${shortDay(day)}</span>`)}
    </div>
  </div>`
}

/** Marks by which series are told apart without their colours. */
const marks = [
  '',
  'M0 3h8',
  'M-2 2l4-4M0 8l8-8M6 10l4-4',
  'M3 0v8',
  'M2 3h2M6 7h2',
  'M0 0l8 8M0 8l8-8',
] as const

function pattern(id: string, { colour }: ChartSeries, n: number): Html {
  const at = (colour ?? n) % mostColours
  const mark = marks[at] ?? ''
  return html`<pattern
    id="${id}-p${n}"
    class="series-${at}"
    width="8"
    height="8"
    patternUnits="userSpaceOnUse"
  >
    <rect width="8" height="8" />${mark === '' ? '' : html`<path d="${mark}" />`}
  </pattern>`
}

function legend(series: readonly ChartSeries[], format: (value: number) => string, id: string): Html {
  return html`<ul class="legend">
    ${series.map((one, n) =>
      sumOf(one) === 0
        ? ''
        : html`<li>
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
              <defs>${pattern(`${id}-key`, one, n)}</defs>
              <rect width="16" height="16" rx="3" fill="url(#${id}-key-p${n})" />
            </svg>
            ${one.name} <strong>${format(sumOf(one))}</strong>
          </li>`,
    )}
  </ul>`
}

function figures({ title, starts, interval, series }: Chart, format: (value: number) => string): Html {
  return table(
    title,
    [interval, ...series.map(({ name }) => name)],
    starts
      .map(
        (start, at) =>
          html`<tr>
            <td>${start}</td>
            ${series.map(({ values }) => html`<td class="counts">${format(values[at] ?? 0)}</td>`)}
          </tr>`,
      )
      .toReversed(),
    'figures',
  )
}

function ends(starts: readonly string[]): string[] {
  const middle = starts.length > 4 ? [starts[Math.floor((starts.length - 1) / 2)]] : []
  const days = starts.length > 1 ? [starts[0], ...middle, starts.at(-1)] : [starts[0]]
  return days.filter((day) => day !== undefined)
}

function shortDay(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  })
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100)
}
