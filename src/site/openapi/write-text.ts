import { closesFence, type Fence, readFence } from '../markdown/fence.ts'
import { readLine } from '../markdown/line.ts'
import { storableText } from '../pages/decode.ts'

const longest = 20_000

/** A description's Markdown as it may stand in any page: without HTML, and with nothing that MDX would run. */
export function writeMarkdown(text: unknown): string {
  if (typeof text !== 'string') return ''
  // Only fences at the margin: what is in a list may end with it, and would then stand unmarked outside of code.
  let fence: Fence | undefined
  const lines = storableText(text.slice(0, longest)).replaceAll('\r\n', '\n').split('\n')
  const written = lines.map((raw) => {
    const line = readLine(raw)
    if (fence !== undefined) {
      if (closesFence(line, fence)) fence = undefined
      return raw
    }
    const opened = /^ {0,3}[`~]/.test(raw) ? readFence(line) : undefined
    fence = opened
    return opened === undefined ? writeInline(raw) : raw
  })
  if (fence !== undefined) written.push(fence.marker.repeat(fence.length))
  return written.join('\n').trim()
}

/** A text on one line. */
export function writeLine(text: unknown): string {
  if (typeof text !== 'string') return ''
  const lines = storableText(text.slice(0, longest)).split('\n').map(writeRow)
  return writeInline(lines.join(' ').replaceAll(/\s+/g, ' ').trim())
}

/** A row of a table as words, and any other line as it is. */
function writeRow(text: string): string {
  const line = text.trim()
  if (!line.startsWith('|') || !line.endsWith('|')) return line
  const cells = line.split('|').map((cell) => cell.trim())
  return cells.every((cell) => /^:?-*:?$/.test(cell))
    ? ''
    : `${cells.filter((cell) => cell !== '').join(': ')};`
}

/** A value as inline code. */
export function writeCode(value: unknown): string {
  const text = typeof value === 'string' ? value : printJson(value, 0)
  const line = storableText(text.slice(0, 200)).replaceAll(/\s+/g, ' ').replaceAll('`', "'").trim()
  return line === '' ? '' : `\`${line}\``
}

/** A value as JSON, cut where it is large: a few aliases of YAML unfold to more than fits in memory. */
export function printJson(value: unknown, indent = 2): string {
  let left = 500
  const cut = (inner: unknown, depth: number): unknown => {
    if (typeof inner === 'bigint') return Number(inner)
    if (typeof inner !== 'object' || inner === null) return inner
    if (depth > 20 || left <= 0) return '…'
    const entries = Object.entries(inner)
      .slice(0, left)
      .map(([key, one]) => {
        left--
        return [key, cut(one, depth + 1)] as const
      })
    return Array.isArray(inner) ? entries.map(([, one]) => one) : Object.fromEntries(entries)
  }
  return JSON.stringify(cut(value, 0), undefined, indent) ?? ''
}

/** A value of a table's cell. */
export function writeCell(text: string): string {
  return text.replaceAll('|', '\\|')
}

/** Code in backticks stays; elsewhere tags are left out, and `<`, `{` and `}` are marked as plain characters. */
function writeInline(line: string): string {
  if (!/[<{}]/.test(line)) return line
  return line
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replaceAll(/<br ?\/?>/gi, ' ')
            .replaceAll(/<\/?[a-z][a-z\d-]{0,20}(?:[\s/][^<>]{0,500})?>/gi, '')
            .replaceAll(/(?<!\\)[<{}]/g, String.raw`\$&`),
    )
    .join('')
}
