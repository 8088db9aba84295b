import { html, raw } from 'hono/html'
import { counted } from '../../../lib/text/counted.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import type { Block, BlockRow, RenderedWindow, Window } from './review-data.ts'
import { belowLine, partSizes, rowParts } from './file-parts.ts'
import type { LineView } from './review-request.ts'
import type { FileContext, Place } from './reviewed.ts'

const signs = { old: '−', new: '+' } as const
const words = {
  removed: { old: 'Removed', new: '' },
  added: { old: '', new: 'Added' },
  changed: { old: 'Before', new: 'After' },
  replaced: { old: 'Before', new: 'After' },
  merged: { old: '', new: 'Changed' },
  same: { old: '', new: '' },
} as const

/** A page as its readers see it, with what has changed. */
export function renderedView(
  context: FileContext,
  { rows, total }: RenderedWindow,
  { from, whole }: Pick<Window, 'from' | 'whole'>,
  lines: LineView,
): Html {
  const { file } = context
  const sides = file.status === 'added' || file.status === 'deleted' || lines === 'unified' ? 'one' : 'two'
  const parts = Array.from({ length: Math.ceil(rows.length / partSizes.blocks) }, (_, n) =>
    rows.slice(n * partSizes.blocks, (n + 1) * partSizes.blocks),
  )
  return html`<div class="review-page ${sides}">
    ${
      sides === 'two'
        ? html`<div class="review-sides" aria-hidden="true"><span>Before</span><span>After</span></div>`
        : ''
    }
    ${rowParts(
      context,
      { from, whole, rows: parts, total, noun: 'blocks' },
      (part, start) => html`${part.map((row, index) => pair(context, row, start + index, sides))}`,
    )}
  </div>`
}

function pair(context: FileContext, row: BlockRow, index: number, sides: 'one' | 'two'): Html {
  if (row.kind === 'fold')
    return html`<p class="review-fold">
      <a data-review="file" href="${context.more({ whole: '1', as: 'rendered' })}"
        >${counted(row.blocks, 'unchanged block')}</a
      >
    </p>`
  const id = `${context.file.id}-b${index}`
  const { kind } = row
  const isOnce = row.kind === 'merged' || (row.kind === 'same' && sides === 'one')
  const old = row.before && !isOnce ? block(context, kind, 'old', row.before) : ''
  const now = row.after
    ? block(context, kind, 'new', row.after, row.kind === 'merged' ? row.before : undefined)
    : ''
  return html`<div class="review-pair ${kind}" id="${id}" ${raw(kind === 'same' ? '' : 'data-change')}>
    ${old}${now}
  </div>`
}

function block(
  context: FileContext,
  kind: keyof typeof words,
  side: 'old' | 'new',
  { html: content, line, end }: Block,
  earlier?: Pick<Block, 'line' | 'end'>,
): Html {
  const { file, options } = context
  const isMarked = kind !== 'same'
  // An unchanged block is on both sides, but screen readers read it once.
  const isRepeated = kind === 'same' && side === 'old'
  const place: Place = { path: file.path, side, line: end }
  const link = isRepeated ? undefined : options.lineLink?.({ ...place, first: line })
  const places = [
    ...(earlier ? placesIn({ ...place, side: 'old', line: earlier.end }, earlier.line) : []),
    ...placesIn(place, line),
  ]
  const below = isRepeated ? [] : places.flatMap((one) => belowLine(context, one))
  return html`<div
    class="review-block ${side}${below.length === 0 ? '' : ' with-remarks'}"
    data-side="${side}"
    data-line="${line}"
    data-end="${end}"
    ${raw(isRepeated ? 'inert' : '')}
  >
    ${isMarked ? html`<span class="review-sign">${kind === 'merged' ? '' : signs[side]}<span class="hidden"> ${words[kind][side]}</span></span>` : ''}
    <div class="prose" dir="auto">${raw(content)}</div>
    ${link === undefined ? '' : html`<a class="review-comment" href="${link}" aria-label="Comment on ${side === 'old' ? 'the removed text of ' : ''}line ${line}${end > line ? ` to ${end}` : ''}">+</a>`}
    ${below.length === 0 ? '' : html`<div class="review-below">${below}</div>`}
  </div>`
}

const mostLines = 2000

/** Every line of a block; the last one stands for the block. */
function placesIn(last: Place, line: number): Place[] {
  const first = Math.max(line, last.line - mostLines)
  return Array.from({ length: last.line - first + 1 }, (_, index) => ({ ...last, line: first + index }))
}
