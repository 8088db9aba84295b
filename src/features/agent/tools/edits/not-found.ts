import { quote } from '../../../../lib/text/quote.ts'
import { ToolError } from '../../../../lib/tool-error.ts'
import { closestLines } from '../../../../site/text/closest-lines.ts'
import { viewText } from '../../../../site/text/text-view.ts'
import { numberLines } from '../read-file.ts'
import { withoutTypography } from './near-match.ts'

const maxCompared = 50_000

/** Why a file does not hold a text, with the place that is most like it. */
export function notFound(file: string, path: string, search: string): ToolError {
  const lines = viewText(file).text.split('\n')
  const plain = withoutNumbers(search)
  if (plain !== undefined && viewText(file).text.includes(plain)) {
    return new ToolError(
      'not_found',
      '`search` holds the line numbers that read_file puts before each line: leave them and the tab out',
    )
  }
  const message = `${quote(path)} does not hold this text exactly`
  // Searching for similar regions takes long in very long files.
  if (lines.length > maxCompared) return new ToolError('not_found', message)
  for (const [difference, plainer] of differences) {
    const line = lineOf(lines, normalised(search), plainer)
    if (line !== undefined) {
      return new ToolError('not_found', `${message}: it differs in ${difference} only; the place is shown`, {
        ...region(path, lines, line, search),
      })
    }
  }
  const closest = closestLines(lines, normalised(search))
  if (closest === undefined) return new ToolError('not_found', message)
  return new ToolError('not_found', `${message}; the closest place is shown`, {
    ...region(path, lines, closest.line, search),
  })
}

const differences: [name: string, plainer: (text: string) => string][] = [
  ['white space (indentation, tabs, line breaks or spaces at line ends)', (text) => text],
  ['quotation marks, dashes or kinds of spaces', plainTypography],
  ['upper and lower case', (text) => plainTypography(text).toLowerCase()],
]

function plainTypography(text: string): string {
  return Array.from(text, withoutTypography).join('')
}

/** The 0-based line of a text, ignoring white space. */
function lineOf(
  lines: readonly string[],
  search: string,
  plainer: (text: string) => string,
): number | undefined {
  const words = (text: string) =>
    plainer(text)
      .split(/\s+/)
      .filter((word) => word !== '')
      .join(' ')
  const wanted = words(search)
  if (wanted === '') return undefined
  const starts: number[] = []
  const parts: string[] = []
  let length = 0
  for (const line of lines) {
    starts.push(length)
    const text = words(line)
    if (text === '') continue
    parts.push(text)
    length += text.length + 1
  }
  const at = parts.join(' ').indexOf(wanted)
  return at === -1 ? undefined : starts.findLastIndex((start) => start <= at)
}

function region(
  path: string,
  lines: readonly string[],
  line: number,
  search: string,
): { closest: { startLine: number; content: string }; shown: unknown } {
  const from = Math.max(0, line - 1)
  const some = lines.slice(from, from + Math.min(search.split('\n').length + 2, 60))
  return {
    closest: { startLine: from + 1, content: numberLines(some, from + 1) },
    shown: [{ path, first: from + 1, last: from + some.length }],
  }
}

function withoutNumbers(search: string): string | undefined {
  const lines = normalised(search).split('\n')
  const numbers = /^ *\d+(?:\t|→)/
  if (!lines.some((line) => numbers.test(line))) return undefined
  return lines.map((line) => line.replace(numbers, '')).join('\n')
}

export function normalised(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/^\uFEFF/, '')
}
