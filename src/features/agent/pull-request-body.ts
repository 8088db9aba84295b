import type { ChangeColumn, CheckColumn } from '../../store/tables.ts'

const maxLength = 60_000
const listed = 100

/** The text that a maintainer reads: what and why, which pages, how it was checked, and how to go on. Markdown. */
export function pullRequestBody(input: {
  /** Those of this pull request, in order; a turn without a summary has changed nothing that is worth telling. */
  turns: readonly { n: number; prompt: string; summary: string | null }[]
  changes: readonly ChangeColumn[]
  checks: readonly CheckColumn[]
  model: string
  link: string
}): string {
  const told = input.turns.filter((turn) => turn.summary !== null)
  const parts = [
    ...told.map((turn, index) =>
      index === 0
        ? shorten(turn.summary ?? '', 20_000)
        : `### Follow-up\n\n${shorten(turn.summary ?? '', 5000)}`,
    ),
    '## Changed files',
    list(input.changes, changeLine),
    '## Checks',
    input.checks.length === 0 ? 'No new problems were found.' : list(input.checks, checkLine),
    '## Asked for',
    ...told.map((turn) => quote(shorten(turn.prompt, 3000))),
    `---\nMade by Docwright (${input.model}). To ask for more, send a message to [the job](${input.link}); to stop, close this pull request.`,
  ]
  return shorten(parts.join('\n\n'), maxLength)
}

function list<T>(items: readonly T[], line: (item: T) => string): string {
  const lines = items.slice(0, listed).map(line)
  if (items.length > listed) lines.push(`- and ${items.length - listed} more`)
  return lines.join('\n')
}

function changeLine(change: ChangeColumn): string {
  const from = change.oldPath === null ? '' : ` (from ${code(change.oldPath)})`
  return `- ${code(change.path)}${from}: ${change.status}, +${change.additions} −${change.deletions}`
}

function checkLine(check: CheckColumn): string {
  const place = check.line === null ? check.path : `${check.path}:${check.line}`
  return `- ${code(place)} ${check.check}: ${check.message.replaceAll(/\s+/g, ' ')}`
}

// Paths hold whatever a file system allows; a code span holds no line end and no backtick.
function code(text: string): string {
  return `\`${text.replaceAll(/[`\s\p{Cc}]/gu, (character) => (character === ' ' ? ' ' : '?'))}\``
}

function quote(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => `> ${line}`)
    .join('\n')
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`
}
