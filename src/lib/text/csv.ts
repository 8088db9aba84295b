type Cell = string | number | null

/** Spreadsheets set to Chinese, Japanese or Korean take the full-width signs for the plain ones. */
const startsFormula = /^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/

/** A line of CSV as RFC 4180 has it, with its end. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  // A spreadsheet would calculate what begins like a formula: texts of strangers must stay texts.
  const text = startsFormula.test(cell.trimStart()) || /^[\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
