import { type OutLine, writeTable } from '../markdown/write-blocks.ts'
import { code } from '../markdown/write-text.ts'
import { listOf } from './attributes.ts'
import { printInline } from './inline.ts'
import type { Above, Line, Reading } from './reading.ts'

interface Cell {
  lines: Line[]
  style: string
  /** How many columns it takes. */
  width: number
}

const maxColumns = 60
const maxCells = 20_000
/** What stands before the sign of a cell: `2+`, `.3+`, `3*`, `^.>`, `a`. */
const spec = /(?:^|\s)((?:\d{1,2}(?:\.\d{1,3})?|\.\d{1,3})[+*])?([<^>]?(?:\.[<^>])?)([a-z]?)$/

export function printTable(
  body: readonly Line[],
  kind: string,
  above: Above,
  reading: Reading,
  depth: number,
): OutLine[] {
  const format =
    above.named.get('format') ?? (kind.startsWith(',') ? 'csv' : kind.startsWith(':') ? 'dsv' : 'psv')
  const columns = columnsOf(above.named.get('cols'))
  const sign =
    above.named.get('separator') ??
    (kind.startsWith('!') ? '!' : format === 'psv' ? '|' : format === 'dsv' ? ':' : ',')
  const rows: Cell[][] = []
  const start = body.findIndex(({ text }) => text.trim() !== '')
  const [first, second] = [body[start], body[start + 1]]
  if (first === undefined) return []
  if (format !== 'psv') {
    for (const { text, index } of body)
      if (text.trim() !== '')
        rows.push(
          fieldsOf(text, sign).map((field) => ({ lines: [{ text: field, index }], style: '', width: 1 })),
        )
  } else {
    const cells = cellsIn(body, sign)
    const ofFirst = cells.filter(({ lines }) => lines[0]?.index === first.index)
    const width = Math.min(
      maxColumns,
      columns?.length ??
        Math.max(
          1,
          ofFirst.reduce((sum, one) => sum + one.width, 0),
        ),
    )
    let row: Cell[] = []
    let taken = 0
    for (const cell of cells) {
      row.push(cell)
      taken += cell.width
      if (taken < width) continue
      rows.push(row)
      row = []
      taken = 0
    }
    if (row.length > 0) rows.push(row)
  }
  const isImplicit =
    start === 0 &&
    second !== undefined &&
    second.text.trim() === '' &&
    rows[0]?.every(({ lines }) =>
      lines.every(({ text, index }) => index === first.index || text.trim() === ''),
    ) === true
  const hasHead = above.options.has('header') || (isImplicit && !above.options.has('noheader'))
  const texts = rows.slice(0, maxCells).map((row, at) => ({
    index: row[0]?.lines[0]?.index ?? first.index,
    cells: row.slice(0, maxColumns).flatMap((cell, column) => {
      const style = cell.style === '' && !(hasHead && at === 0) ? (columns?.[column] ?? '') : cell.style
      return [
        printCell(cell, style, reading, depth),
        ...Array.from({ length: Math.min(cell.width, maxColumns) - 1 }, () => ''),
      ]
    }),
  }))
  return writeTable(texts, hasHead, first.index)
}

function printCell({ lines }: Cell, style: string, reading: Reading, depth: number): string {
  const text = lines
    .map((line) => line.text.trim())
    .join('\n')
    .trim()
  const printed =
    style === 'a'
      ? reading
          .blocks(trimmed(lines), depth + 1)
          .map((line) => line.text.trim())
          .filter((line) => line !== '' && !/^`{3}`*\w{0,40}$/.test(line))
          .join(' ')
      : style === 'l' || style === 'm'
        ? code(reading.attributes.fill(text))
        : printInline(text, reading.inline).markdown
  const whole = printed
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .replaceAll(/(?<!\\)\|/g, '\\|')
  return whole !== '' && (style === 's' || style === 'h') && !whole.includes('**') ? `**${whole}**` : whole
}

function trimmed(lines: readonly Line[]): Line[] {
  return lines.map(({ text, index }, at) => ({ text: at === 0 ? text.trim() : text, index }))
}

/** The styles of the columns: `1,2a,^m`, `3*`. */
function columnsOf(cols: string | undefined): string[] | undefined {
  if (cols === undefined || cols.trim() === '') return undefined
  const styles: string[] = []
  for (const one of cols.split(/[,;]/).slice(0, maxColumns)) {
    const [, times = '1'] = /^\s*(\d{1,2})\*/.exec(one) ?? []
    const style = /[a-z]\s*$/.exec(one)?.[0].trim() ?? ''
    for (let count = 0; count < Number(times) && styles.length < maxColumns; count++) styles.push(style)
  }
  return styles
}

function cellsIn(body: readonly Line[], sign: string): Cell[] {
  const cells: Cell[] = []
  for (const { text, index } of body) {
    let from = 0
    for (
      let at = text.indexOf(sign);
      at !== -1 && cells.length < maxCells;
      at = text.indexOf(sign, at + sign.length)
    ) {
      if (text[at - 1] === '\\') continue
      const before = text.slice(from, at)
      const [whole = '', span = '', , style = ''] = spec.exec(before.slice(-30)) ?? []
      // A letter that ends a word is no style.
      const rest = before.slice(0, before.length - whole.length)
      put(cells.at(-1), rest, index)
      const count = Math.min(maxColumns, Number.parseInt(span, 10) || 1)
      const isCopied = span.endsWith('*')
      for (let copy = 0; copy < (isCopied ? count : 1); copy++)
        cells.push({ lines: [], style, width: isCopied ? 1 : count })
      from = at + sign.length
    }
    const rest = text.slice(from).replaceAll(`\\${sign}`, sign)
    const last = cells.at(-1)
    if (last !== undefined) last.lines.push({ text: rest, index })
  }
  return cells
}

function put(cell: Cell | undefined, text: string, index: number): void {
  if (cell !== undefined) cell.lines.push({ text: text.replaceAll('\\|', '|'), index })
}

/** The fields of a line of CSV. */
function fieldsOf(text: string, sign: string): string[] {
  return sign === ','
    ? listOf(text.replaceAll('=', '＝')).positional.map((one) => one.replaceAll('＝', '='))
    : text.split(sign).map((one) => one.trim())
}
