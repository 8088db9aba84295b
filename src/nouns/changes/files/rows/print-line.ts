import type { ColouredPart } from '../../../../api/render/code/colour-lines.ts'
import { escapeHtml, visible } from '../../../../api/frame/html/visible.ts'

const longest = 2000

/** From an offset to another. */
export type Mark = readonly [start: number, end: number]

/**
 * A line of source as HTML: coloured, with its changed words in an element of their own, and cut where it is very
 * long.
 * @param marks changed parts, in order
 */
export function printLine(
  text: string,
  colours: readonly ColouredPart[] | undefined,
  marks: readonly Mark[],
  tag: 'ins' | 'del',
): string {
  const end = text.length > longest ? longest : text.endsWith('\r') ? text.length - 1 : text.length
  let printed = ''
  let at = 0
  for (const [start, stop] of [...marks, [end, end] as const]) {
    printed += coloured(text, colours, at, Math.min(start, end))
    if (stop > start && start < end)
      printed += `<${tag}>${coloured(text, colours, start, Math.min(stop, end))}</${tag}>`
    // A line that ends differently has changed, although nothing of it can be seen.
    if (stop > end && text[end] === '\r') printed += `<${tag}>␍</${tag}>`
    at = Math.min(Math.max(at, stop), end)
  }
  return text.length > longest ? `${printed} … (line cut)` : printed
}

function coloured(
  text: string,
  colours: readonly ColouredPart[] | undefined,
  start: number,
  end: number,
): string {
  if (!colours?.length) return escapeHtml(visible(text.slice(start, end)))
  let printed = ''
  let open = ''
  for (const [index, { from, colour }] of colours.entries()) {
    const [begin, stop] = [Math.max(from, start), Math.min(colours[index + 1]?.from ?? text.length, end)]
    if (begin >= stop) continue
    if (colour !== open) {
      printed += `${open === '' ? '' : '</span>'}${colour === '' ? '' : `<span class="s-${colour}">`}`
      open = colour
    }
    printed += escapeHtml(visible(text.slice(begin, stop)))
  }
  return open === '' ? printed : `${printed}</span>`
}
