import { startEsm } from '../../site/pages/esm.ts'
import { closesFence, readFence } from '../../site/pages/line.ts'
import type { Fence } from '../../site/pages/line.ts'
import { readHeadingId } from '../../site/pages/heading-id.ts'
import { readAdmonition } from './admonition.ts'
import { InlineReader } from './strip-inline.ts'

/** Deeper nesting than any honest page has. */
const maximumDepth = 24

/** A block that people indent or mark, taken apart line by line. */
interface Block {
  /** Tag name, or the marker of an admonition. */
  name: string
  /** Columns of the opening line, in the output. */
  column: number
  /** Columns that its content is indented by; known with its first line. */
  indent: number | undefined
  /** Shown as a note: its lines become a quotation. */
  note: boolean
}

/**
 * Turns MDX, HTML and the admonitions of the frameworks into plain Markdown: tags go, what stands between them stays,
 * notes become quotations that start with `[!NOTE]`. Code stays as it is. One pass over the text.
 */
export function stripComponents(body: string, mdx: boolean): string {
  const text = body.replaceAll(/\r\n?/g, '\n')
  const inline = new InlineReader(text, mdx)
  const out: string[] = []
  const blocks: Block[] = []
  let fence: Fence | undefined
  let esm: ReturnType<typeof startEsm>
  let afterBlank = true

  const removed = (): number => blocks.reduce((sum, { indent }) => sum + (indent ?? 0), 0)
  const prefix = (): string =>
    blocks
      .filter(({ note }) => note)
      .map(({ column }) => `${' '.repeat(column)}> `)
      .join('')
  const put = (line: string): void => {
    // The quotation's own columns stand before its mark.
    const column = blocks.reduce((sum, { note, column }) => sum + (note ? column : 0), 0)
    out.push(`${prefix()}${line.slice(Math.min(column, leading(line)))}`)
  }
  const open = (block: Block, title: string | undefined, kind: string): void => {
    if (blocks.length >= maximumDepth) return
    if (block.note && !afterBlank) put('')
    blocks.push(block)
    if (!block.note) return
    put(`${' '.repeat(block.column)}[!${kind}]${title === undefined ? '' : ` **${title}**`}`)
    put('')
  }
  const close = (name: string): void => {
    const at = blocks.findLastIndex((block) => block.name === name)
    if (at === -1) return
    blocks.length = at
    out.push('')
    afterBlank = true
  }

  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const raw = text.slice(start, end)
    const lead = leading(raw)
    const bare = raw.slice(lead).trimEnd()

    if (bare === '') {
      put('')
      if (!fence) {
        if (esm && !esm.goesOn(raw)) esm = undefined
        afterBlank = true
      }
      start = end + 1
      continue
    }
    if (esm && !fence) {
      if (esm.goesOn(raw)) {
        start = end + 1
        continue
      }
      esm = undefined
    }
    const admonition = fence ? undefined : readAdmonition(bare)
    // A block that only its indentation holds ends with the first line that has less.
    if (!fence) while (blocks.at(-1)?.name === '!!!' && lead < removed()) blocks.pop()
    const top = blocks.at(-1)
    if (top && top.indent === undefined && !bare.startsWith('</') && !bare.startsWith(':::'))
      top.indent = Math.max(0, lead - removed() - top.column)
    const line = raw.slice(Math.min(lead, removed()))

    if (fence) {
      if (closesFence(bare, fence)) fence = undefined
      put(line)
    } else if (readFence(bare)) {
      fence = readFence(bare)
      put(line)
    } else if (admonition) {
      if (admonition.kind === undefined) close(':::')
      else {
        const marker = admonition.indented ? '!!!' : ':::'
        const indent = admonition.indented ? 4 : 0
        open({ name: marker, column: leading(line), indent, note: true }, admonition.title, admonition.kind)
      }
    } else if (mdx && afterBlank && lead === 0 && startEsm(raw)) {
      esm = startEsm(raw)
    } else {
      // A tag may go on over lines: what was read says where the next line starts.
      const read = inline.readLine(start + Math.min(lead, removed()))
      for (const part of read.parts) {
        if (part.type === 'text') put(withoutHeadingId(part.text))
        else if (part.type === 'break') put('')
        else if (part.type === 'open')
          open(
            { name: part.name, column: leading(line), indent: undefined, note: part.note !== undefined },
            undefined,
            part.note ?? '',
          )
        else close(part.name)
      }
      afterBlank = false
      start = read.next
      continue
    }
    afterBlank = false
    start = end + 1
  }
  return out.join('\n')
}

function withoutHeadingId(line: string): string {
  return /^ {0,3}#{1,6} /.test(line) ? readHeadingId(line.trimEnd()).text : line
}

function leading(line: string): number {
  let at = 0
  while (line[at] === ' ' || line[at] === '\t') at++
  return at
}
