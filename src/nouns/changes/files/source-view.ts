import { html, raw } from 'hono/html'
import { counted } from '../../../lib/text/counted.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import type { LineRow, SourceRow, SourceWindow, Window } from './review-data.ts'
import { belowLine, partSizes, rowParts } from './file-parts.ts'
import type { LineView } from './review-request.ts'
import { placesOf, type FileContext, type Place } from './reviewed.ts'
import { visible, visiblePath } from '../../../api/frame/html/visible.ts'

const signs = { added: '+', removed: '−', same: '' } as const
const words = { added: 'Added', removed: 'Removed', same: '' } as const

/** The source of a file as a diff, with the lines in one column or in two. */
export function sourceView(
  context: FileContext,
  { rows, total }: SourceWindow,
  view: LineView,
  { from, whole }: Pick<Window, 'from' | 'whole'>,
): Html {
  const print = view === 'unified' ? unifiedRows : splitRows
  const caption = `Changed lines of ${visiblePath(context.file.path)}`
  const table = { from, whole, rows: partsOf(rows, view), total, noun: 'lines' } as const
  return rowParts(
    context,
    table,
    (part) =>
      html`<table class="review-source ${view}">
        <caption class="hidden">
          ${caption}
        </caption>
        ${columns[view]}
        <tbody>
          ${print(context, part)}
        </tbody>
      </table>`,
  )
}

const columns = {
  unified: html`<colgroup>
    <col class="n" />
    <col class="n" />
    <col class="sign" />
    <col />
  </colgroup>`,
  split: html`<colgroup>
    <col class="n" />
    <col class="sign" />
    <col />
    <col class="n" />
    <col class="sign" />
    <col />
  </colgroup>`,
}

/** Side by side, a group of changed lines stays in one part. */
function partsOf(rows: readonly SourceRow[], view: LineView): SourceRow[][] {
  const parts: SourceRow[][] = []
  for (const row of rows) {
    const part = parts.at(-1)
    const isCut =
      view === 'unified' || row.kind === 'same' || row.kind === 'fold' || ('starts' in row && row.starts)
    if (!part || (part.length >= partSizes.lines && isCut)) parts.push([row])
    else part.push(row)
  }
  return parts
}

function unifiedRows(context: FileContext, rows: readonly SourceRow[]): Html[] {
  return rows.map((row) => {
    if (row.kind === 'fold' || row.kind === 'note') return wideRow(context, row, 4)
    const places = placesOf(context.file.path, row)
    const cells = [
      html`<td class="n">${row.kind === 'added' ? '' : row.before}</td>`,
      html`<td class="n">${row.kind === 'removed' ? '' : row.after}${commentLinks(context, places)}</td>`,
      ...codeCells(row),
    ]
    return html`${tableRow(context, row, cells)}${below(context, places, 4)}`
  })
}

// There are thousands of rows, so no space stands between their cells.
function tableRow({ file }: FileContext, { kind, before, after, starts }: LineRow, cells: Html[]): Html {
  const old = kind === 'removed'
  const [side, line] = old ? ['old', before] : ['new', after]
  const id = `${file.id}-${old ? 'o' : 'n'}${line}`
  const change = starts ? ' data-change' : ''
  const start = `<tr id="${id}" class="${kind}" data-side="${side}" data-line="${line}"${change}>`
  return html`${raw(start)}${cells}${raw('</tr>')}`
}

function codeCells({ kind, html: code }: LineRow, own = ''): Html[] {
  const word = words[kind] === '' ? '' : html` aria-label="${words[kind]}"`
  return [
    html`<td class="sign${own}" ${word}>${signs[kind]}</td>`,
    html`<td class="code${own}">${raw(code)}</td>`,
  ]
}

const emptyCells = ['n', 'sign', 'code'].map((name) => html`<td class="${name} none"></td>`)

/** Removed lines stand beside the lines that were added in their place. */
function splitRows(context: FileContext, rows: readonly SourceRow[]): Html[] {
  const printed: Html[] = []
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]
    if (!row) break
    if (row.kind === 'fold' || row.kind === 'note') {
      printed.push(wideRow(context, row, 6))
      continue
    }
    if (row.kind === 'same') {
      printed.push(splitRow(context, row, row))
      continue
    }
    const removed: LineRow[] = []
    const added: LineRow[] = []
    const notes: SourceRow[] = []
    let next: SourceRow | undefined = row
    for (; next && next.kind !== 'same' && next.kind !== 'fold'; next = rows[++at]) {
      if (next.kind === 'removed' && added.length > 0) break
      if (next.kind === 'note') notes.push(next)
      else if (next.kind === 'removed') removed.push(next)
      else added.push(next)
    }
    at--
    for (let index = 0; index < Math.max(removed.length, added.length); index++)
      printed.push(splitRow(context, removed[index], added[index]))
    printed.push(...notes.map((note) => (note.kind === 'note' ? wideRow(context, note, 6) : html``)))
  }
  return printed
}

function splitRow(context: FileContext, old: LineRow | undefined, now: LineRow | undefined): Html {
  const { path } = context.file
  const first = now ?? old
  if (!first) return html``
  const starts = old?.starts === true || now?.starts === true
  const places = [
    ...(old && old.kind !== 'same' ? placesOf(path, old) : []),
    ...(now ? placesOf(path, now) : []),
  ]
  const cells = (row: LineRow, side: 'old' | 'new', line: number | undefined): Html[] => {
    const own = places.filter((place) => place.side === side)
    return [
      html`<td class="n ${row.kind}">${line}${commentLinks(context, own)}</td>`,
      ...codeCells(row, ` ${row.kind}`),
    ]
  }
  const row = { ...first, kind: now ? now.kind : 'removed', starts }
  const both = [
    ...(old ? cells(old, 'old', old.before) : emptyCells),
    ...(now ? cells(now, 'new', now.after) : emptyCells),
  ]
  return html`${tableRow(context, row, both)}${below(context, places, 6)}`
}

function wideRow(
  { more }: FileContext,
  row: Extract<SourceRow, { kind: 'fold' | 'note' }>,
  columns: number,
): Html {
  return row.kind === 'note'
    ? html`<tr class="remark">
        <td colspan="${columns}">${visible(row.text)}</td>
      </tr>`
    : html`<tr class="fold">
        <td colspan="${columns}">
          <a data-review="file" href="${more({ whole: '1', as: 'source' })}"
            >${counted(row.lines, 'unchanged line')}</a
          >
          ${row.place}
        </td>
      </tr>`
}

function commentLinks({ options }: FileContext, places: readonly Place[]): Html[] {
  return places.flatMap((place) => {
    const address = options.lineLink?.(place)
    const line = `${place.side === 'old' ? 'removed ' : ''}line ${place.line}`
    return address === undefined
      ? []
      : html`<a class="review-comment" href="${address}" aria-label="Comment on ${line}">+</a>`
  })
}

function below(context: FileContext, places: readonly Place[], columns: number): Html {
  const parts = places.flatMap((place) => belowLine(context, place))
  return parts.length === 0
    ? html``
    : html`<tr class="review-below">
        <td colspan="${columns}">${parts}</td>
      </tr>`
}
