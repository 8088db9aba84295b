import { withoutHidden } from '../../../lib/text/plain-text.ts'
import { createFences } from '../../../site/markdown/fence.ts'
import { readLine } from '../../../site/markdown/line.ts'
import { firstLine } from '../title.ts'
import { withoutSecrets } from '../policy/find-secrets.ts'
import { hostSyntaxAtStart, nameReferences, partsForCode, splitKeys } from './host-syntax.ts'

const columns = 72
const maxLength = 10_000
const longestTitle = 70

/** The title of a pull request and the first line of its commit: at most 70 characters, with no effect on a host. */
export function requestTitle(text: string): string {
  const line = (firstLine(text) ?? '').replace(/^#{1,6} /, '').replace(/(?<!\.)\.$/, '')
  const title = startAsCode(plainLine(nameReferences(withoutSecrets(line)))).trim()
  if (title.length <= longestTitle) return title === '' ? 'Update the documentation' : title
  const cut = (length: number): string => title.slice(0, length).toWellFormed().replaceAll('\u{FFFD}', '')
  // Text in backticks keeps both of them.
  return isClosed(cut(longestTitle - 1)) ? `${cut(longestTitle - 1)}…` : `${closed(cut(longestTitle - 2))}…`
}

/**
 * The title, the summary in lines of 72 columns, and the trailers, which must be the last paragraph and the only
 * one of that form. The message is plain text: mentions are put in backticks, which GitHub respects, and references
 * are spelled in words.
 */
export function commitMessage(input: {
  title: string
  summary: string
  model: string
  jobId: string
  /** Further ones, which name people. */
  trailers?: readonly string[]
}): string {
  // Git cuts a message at a scissors line.
  const text = nameReferences(withoutHidden(input.summary.slice(0, maxLength))).replaceAll('>8 -', '> 8 -')
  const summary = withoutFences(text.split('\n'))
    .flatMap(wrap)
    // After wrapping, which decides what a line begins with.
    .map(startAsCode)
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  const model = input.model.replaceAll(/[^\P{C} ]/gu, '').slice(0, 200)
  const trailers = [
    `Generated-by: Docwright (${model})`,
    `Docwright-Job: ${input.jobId}`,
    ...(input.trailers ?? []).map((line) => line.replaceAll(/\p{C}+/gu, ' ')),
  ].join('\n')
  return [input.title, summary, trailers].filter((part) => part !== '').join('\n\n')
}

// Where a host renders no Markdown, a fence does not make code, so each of its lines gets its own backticks.
function withoutFences(lines: readonly string[]): string[] {
  const fences = createFences()
  return lines.flatMap((line) => {
    const read = readLine(line)
    const part = fences.inside(read)
    if (part === 'end' || (part === undefined && fences.open(read) !== undefined)) return []
    if (part === undefined || line.includes('`')) return [plainLine(line)]
    if (line.trim() === '') return ['']
    const indent = line.slice(0, line.length - line.trimStart().length)
    return [`${indent}\`${splitKeys(line.trim())}\``]
  })
}

// Text between backticks is code already. An unpaired backtick is replaced by an apostrophe.
function plainLine(line: string): string {
  const pieces = (isClosed(line) ? line : line.replace(/`(?=[^`]*$)/, "'")).split('`')
  return pieces
    .map((piece, index) => {
      if (index % 2 === 1) return splitKeys(piece)
      let at = 0
      const parts = partsForCode(piece, false).map(({ start, end }) => {
        const before = piece.slice(at, start)
        at = end
        return `${before}\`${piece.slice(start, end)}\``
      })
      return `${parts.join('')}${piece.slice(at)}`
    })
    .join('`')
}

function closed(line: string): string {
  return isClosed(line) ? line : `${line}\``
}

function isClosed(line: string): boolean {
  return line.split('`').length % 2 === 1
}

function startAsCode(line: string): string {
  const part = hostSyntaxAtStart(line)
  if (part === undefined) return line
  const { start, end } = part
  return `${line.slice(0, start)}\`${line.slice(start, end)}\`${line.slice(end)}`
}

function wrap(line: string): string[] {
  const lead = /^\s{0,20}(?:[-*+>] |\d{1,3}[.)] )?/.exec(line)?.[0] ?? ''
  const lines: string[] = []
  let current = lead
  let isEmpty = true
  for (const word of wordsOf(line.slice(lead.length))) {
    if (!isEmpty && current.length + 1 + word.length > columns) {
      lines.push(current)
      current = ' '.repeat(lead.length)
      isEmpty = true
    }
    current += isEmpty ? word : ` ${word}`
    isEmpty = false
  }
  return [...lines, current].map((one) => one.trimEnd())
}

// Code counts as one word, so that line breaks never change it.
function wordsOf(line: string): string[] {
  const pieces = line.split('`')
  return pieces
    .map((piece, index) => (index % 2 === 1 ? piece.replaceAll(' ', '\0') : piece))
    .join('`')
    .split(' ')
    .map((word) => word.replaceAll('\0', ' '))
}
