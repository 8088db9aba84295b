import { html, raw } from 'hono/html'
import { counted } from '../../../lib/text/counted.ts'
import type { Html } from '../../frame/html/html.ts'
import type { Block, BlockRow, RenderedWindow, Window } from './review-data.ts'
import { belowLine, partSizes, rowParts } from './review-parts.ts'
import type { FileContext, Place } from './reviewed.ts'

const signs = { old: '−', new: '+' } as const
const words = {
  removed: { old: 'Removed', new: '' },
  added: { old: '', new: 'Added' },
  changed: { old: 'Before', new: 'After' },
  same: { old: '', new: '' },
} as const

/** A page as its readers see it, before and after. */
export function renderedView(
  context: FileContext,
  { rows, total }: RenderedWindow,
  { from, whole }: Pick<Window, 'from' | 'whole'>,
): Html {
  const { file } = context
  const sides = file.status === 'added' || file.status === 'deleted' ? 'one' : 'two'
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
  const { kind, before, after } = row
  const id = `${context.file.id}-b${index}`
  const old = before && sides === 'two' ? block(context, kind, 'old', before) : ''
  const now = after && sides === 'two' ? block(context, kind, 'new', after) : ''
  const only = before ?? after
  const one = sides === 'one' && only ? block(context, kind, before ? 'old' : 'new', only) : ''
  return html`<div class="review-pair ${kind}" id="${id}" ${raw(kind === 'same' ? '' : 'data-change')}>
    ${old}${now}${one}
  </div>`
}

function block(
  context: FileContext,
  kind: keyof typeof words,
  side: 'old' | 'new',
  { html: content, line, end }: Block,
): Html {
  const { file, options } = context
  const isMarked = kind !== 'same'
  // An unchanged block is on both sides, but screen readers read it once.
  const isRepeated = kind === 'same' && side === 'old'
  const place: Place = { path: file.path, side, line: end }
  const link = isRepeated ? undefined : options.lineLink?.({ ...place, first: line })
  const below = isRepeated ? [] : placesIn(place, line).flatMap((one) => belowLine(context, one))
  return html`<div
    class="review-block ${side}"
    data-side="${side}"
    data-line="${line}"
    data-end="${end}"
    ${raw(isRepeated ? 'inert' : '')}
  >
    ${isMarked ? html`<span class="review-sign">${signs[side]}<span class="hidden"> ${words[kind][side]}</span></span>` : ''}
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
