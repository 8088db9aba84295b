import { type Block, type Cell, type Directive, type SourceLine, sourceLines } from './blocks.ts'
import { joined } from './document.ts'
import { readBlocks, startReading } from './read-blocks.ts'
import { csvRows } from './tables.ts'

/** The cells of a `list-table` or of a `csv-table` whose values are in the page; undefined for other tables. */
export function cellsOf(
  block: Directive,
  body: readonly Block[],
): { head: number; rows: Cell[][] } | undefined {
  const head = Number(block.options.get('header-rows')?.value ?? 0)
  if (block.name === 'list-table') {
    const [list] = body
    if (list?.kind !== 'list') return undefined
    const rows = list.items.map(({ body: [row] }) =>
      row?.kind === 'list'
        ? row.items.map((item): Cell => ({ lines: linesOf(item.body), body: item.body }))
        : [],
    )
    return { head, rows }
  }
  if (block.name !== 'csv-table') return undefined
  const delimiters: Readonly<Record<string, string>> = { tab: '\t', space: ' ' }
  const written = block.options.get('delim')?.value ?? ','
  const delimiter = delimiters[written] ?? (written === '' ? ',' : written)
  const header = block.options.get('header')?.value
  const rows = csvRows(joined(block.content), delimiter)
  const all = header === undefined ? rows : [...csvRows(header, delimiter), ...rows]
  return {
    head: header === undefined ? head : head + 1,
    rows: all.map((row) => row.map((text): Cell => cellOf(text, block.start))),
  }
}

function cellOf(text: string, start: SourceLine): Cell {
  const lines = sourceLines(text.split('\n')).map((line) => ({ ...line, index: start.index }))
  return { lines, body: readBlocks(lines, startReading()) }
}

function linesOf(body: readonly Block[]): readonly SourceLine[] {
  const [first] = body
  return first?.kind === 'paragraph' ? first.text : []
}
