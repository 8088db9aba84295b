import { type Lines, type SourceLine, isBlank, part, trimLines } from './blocks.ts'

/** The cells of a table by rows, of which the first are its head. */
interface Table {
  head: number
  rows: Lines[][]
}

const maxColumns = 100

export function isGridBorder(text: string): boolean {
  return (
    text.length > 3 &&
    text.startsWith('+') &&
    text.endsWith('+') &&
    /^[+-]+$/.test(text) &&
    text.includes('-')
  )
}

/** `====  =====` */
export function isSimpleBorder(text: string): boolean {
  return text.startsWith('=') && text.includes(' =') && /^[= ]+$/.test(text)
}

/**
 * A table that is drawn with `+`, `-` and `|`. Cells that go over columns or rows stand where they begin; undefined for what
 * is drawn in another way.
 */
export function gridTable(lines: Lines): Table | undefined {
  const [top] = lines
  if (top === undefined) return undefined
  const edges: number[] = []
  // The borders of all rows together have all columns, as the first may have cells that go over some.
  for (const { text } of lines)
    if (text.startsWith('+') && /^[+=-]+$/.test(text))
      for (let at = text.indexOf('+'); at !== -1; at = text.indexOf('+', at + 1))
        if (!edges.includes(at) && edges.length < maxColumns) edges.push(at)
  edges.sort((one, other) => one - other)
  if (edges.length < 2) return undefined
  const rows: Lines[][] = []
  let head = 0
  let open: { from: number; to: number; lines: SourceLine[] }[] = []
  const close = (done: (cell: (typeof open)[number]) => boolean) => {
    const closed = open.filter(done)
    if (closed.some(({ lines: own }) => own.some((line) => !isBlank(line))))
      rows.push(closed.map(({ lines: own }) => trimLines(own)))
    open = open.filter((cell) => !done(cell))
  }
  for (const line of lines.slice(1)) {
    const { text } = line
    const isDrawn = (from: number, to: number) =>
      /^[-=]+$/.test(text.slice((edges[from] ?? 0) + 1, edges[to] ?? 0))
    close(({ from, to }) => isDrawn(from, to))
    if (/^\+[+=]+\+$/.test(text)) head = rows.length
    for (const cell of open) {
      const isBorder = (text[edges[cell.from] ?? 0] ?? '') === '+' && isDrawn(cell.from, cell.to)
      if (!isBorder) cell.lines.push(part(line, (edges[cell.from] ?? 0) + 1, edges[cell.to]))
    }
    for (let from = 0; from < edges.length - 1; from++) {
      if (open.some((cell) => from >= cell.from && from < cell.to) || isDrawn(from, from + 1)) continue
      let to = from + 1
      while (to < edges.length - 1 && !/[|+]/.test(text[edges[to] ?? 0] ?? '')) to++
      open.push({ from, to, lines: [part(line, (edges[from] ?? 0) + 1, edges[to])] })
    }
    open.sort((one, other) => one.from - other.from)
  }
  close(() => true)
  return { head, rows }
}

/** A table between lines of `=`, whose blanks say where columns are. */
export function simpleTable(lines: Lines): Table | undefined {
  const [top] = lines
  if (top === undefined) return undefined
  const spans = [...top.text.matchAll(/=+/g)].map(
    ({ index, 0: { length } }) => [index, index + length] as const,
  )
  if (spans.length < 2 || spans.length > maxColumns) return undefined
  const rows: SourceLine[][][] = []
  let head = 0
  let afterBlank = true
  for (const [at, line] of lines.slice(1).entries()) {
    if (line.text.startsWith('=') && isSimpleBorder(line.text)) {
      if (at < lines.length - 2) head = rows.length
      afterBlank = true
      continue
    }
    if (/^-[- ]*$/.test(line.text)) continue
    const cells = spans.map(([from], column) => {
      const end = spans[column + 1]?.[0]
      return part(line, from, end)
    })
    const starts = !isBlank(cells[0] ?? line)
    const last = rows.at(-1)
    if (isBlank(line)) {
      for (const [column, cell] of cells.entries()) last?.[column]?.push(cell)
      afterBlank = true
      continue
    }
    if (starts || last === undefined || (afterBlank && rows.length === head))
      rows.push(cells.map((cell) => [cell]))
    else for (const [column, cell] of cells.entries()) last[column]?.push(cell)
    afterBlank = false
  }
  return { head, rows: rows.map((row) => row.map(trimLines)) }
}

/** The cells of lines of values with commas between them; cells in quotes may go over lines. */
export function csvRows(text: string, delimiter: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  const end = () => {
    if (row.some((cell) => cell !== '')) rows.push(row)
    row = []
  }
  while (at <= text.length && rows.length < 5000) {
    while (text[at] === ' ') at++
    let cell = ''
    if (text[at] === '"') {
      at++
      for (;;) {
        const quote = text.indexOf('"', at)
        cell += text.slice(at, quote === -1 ? undefined : quote)
        at = quote === -1 ? text.length : quote + 1
        if (text[at] !== '"') break
        cell += '"'
        at++
      }
    }
    let stop = at
    while (stop < text.length && text[stop] !== '\n' && !text.startsWith(delimiter, stop)) stop++
    cell += text.slice(at, stop)
    row.push(cell.trim())
    at = stop + 1
    if (stop >= text.length || text[stop] === '\n') end()
    if (stop >= text.length) break
    if (text[stop] !== '\n') at = stop + delimiter.length
  }
  return rows
}
