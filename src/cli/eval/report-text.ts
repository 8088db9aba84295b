import { AppError } from '../../lib/errors.ts'
import type { Differences } from './differences.ts'

/** How a report calls its configurations. */
export const letters = ['A', 'B']

/** A table in Markdown. */
export function tableOf(header: string[], rows: string[][]): string[] {
  const lineOf = (cells: string[]): string => `| ${cells.join(' | ')} |`
  return [lineOf(header), lineOf(header.map(() => '---')), ...rows.map(lineOf)]
}

export const differenceHeads = ['B − A', '95% interval', 'better', 'worse']

/** The cells below these heads. */
export function differenceCells(compared: Differences[string] | undefined): string[] {
  if (compared === undefined) return differenceHeads.map(() => '')
  const { questions, difference, low, high, better, worse } = compared
  // One difference says nothing of how much they vary.
  const interval = questions < 2 ? '' : `${signed(low)} to ${signed(high)}`
  return [signed(difference), interval, String(better), String(worse)]
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`
}

/** On one line of a list, with no markup of its own. */
export function inline(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return (line.length > 200 ? `${line.slice(0, 199).toWellFormed()}…` : line).replaceAll(
    /[\\`*_[\]<>|]/g,
    '\\$&',
  )
}

/** How a report is printed into a file of this name. @throws AppError `invalid` for another ending than .md and .json */
export function printerOf<Report>(
  path: string,
  markdownOf: (report: Report) => string,
): (report: Report) => string {
  if (path.endsWith('.json')) return (report) => `${JSON.stringify(report, null, 2)}\n`
  if (path.endsWith('.md')) return (report) => `${markdownOf(report)}\n`
  throw new AppError('invalid', `--out ${path}: the ending must be .md or .json`)
}
