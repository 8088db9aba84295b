import { stripVTControlCharacters, styleText } from 'node:util'
import { makePrintable } from '../lib/text/plain-text.ts'

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta'

/** A piece of a line that has a style where the output is a terminal with colours. */
export interface Styled {
  text: string
  style: Style
}

export type Text = string | Styled
/** Lines of untrusted text. Their styles are added after control characters were removed, and pieces stay on one line. */
export type Lines = string | readonly (string | readonly Text[])[]

/** @param stream where the lines will be written: its colours decide about the styles */
export function printLines(lines: Lines, stream: NodeJS.WriteStream): string {
  const all = typeof lines === 'string' ? [lines] : lines
  const text = all
    .map((line) =>
      typeof line === 'string'
        ? makePrintable(line)
        : line.map((piece) => printPiece(piece, stream)).join(''),
    )
    .join('\n')
  return isReadByRunner() ? withoutCommands(text) : text
}

/** Prints a text for programs: as it is into files and pipes, and on a terminal without what would act there. */
export async function writeRaw(
  body: Iterable<string> | AsyncIterable<Uint8Array<ArrayBuffer>>,
  stream: NodeJS.WriteStream,
): Promise<void> {
  const decoder = new TextDecoder()
  for await (const part of body) {
    const text = typeof part === 'string' ? part : decoder.decode(part, { stream: true })
    stream.write(stream.isTTY ? makePrintable(text.replaceAll('\r\n', '\n')) : text)
  }
}

/** Runners of GitHub and Azure take commands from what a step prints. */
function isReadByRunner(): boolean {
  const { GITHUB_ACTIONS: github, TF_BUILD: azure } = process.env
  return Boolean(github ?? azure)
}

/** Commands stand at the beginning of a line (`::set-output …`) or, of the older kind, anywhere (`##[set-output …]`). */
function withoutCommands(text: string): string {
  return text.replaceAll(/(?<![^\n])([^\S\n]*:)(?=:)/g, '$1 ').replaceAll(/#(?=#\w*\[)/g, '# ')
}

/** JSON for programs: what terminals and runners would take for theirs is escaped. */
export function jsonText(value: unknown): string {
  const escape = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value, null, 2).replaceAll(/[\u007f-\u009f]|\p{Bidi_Control}|#(?=#\w*\[)/gu, escape)
}

function printPiece(piece: Text, stream: NodeJS.WriteStream): string {
  const text = onOneLine(makePrintable(typeof piece === 'string' ? piece : piece.text))
  if (typeof piece === 'string') return text
  return text === '' ? '' : styleText(piece.style, text, { stream })
}

// The name of a file may hold line ends: what follows one would look like a line of ours.
function onOneLine(text: string): string {
  return text.replaceAll('\n', '\\n')
}

export function styled(style: Style, text: string): Styled {
  return { text, style }
}

const styleByState: ReadonlyMap<string, Style> = new Map([
  ['active', 'yellow'],
  ['running', 'yellow'],
  ['syncing', 'yellow'],
  ['pending', 'yellow'],
  ['waiting', 'yellow'],
  ['open', 'green'],
  ['completed', 'green'],
  ['ready', 'green'],
  ['delivered', 'green'],
  ['added', 'green'],
  ['answered', 'green'],
  ['merged', 'magenta'],
  ['failed', 'red'],
  ['deleted', 'red'],
  ['partial', 'yellow'],
  ['weak', 'yellow'],
  ['unanswered', 'yellow'],
  ['uncited', 'yellow'],
  ['refused', 'yellow'],
  ['clarified', 'dim'],
  ['greeting', 'dim'],
  ['stopped', 'dim'],
  ['archived', 'dim'],
  ['closed', 'dim'],
])

/** A state as a word in its colour. */
export function stateText(state: string): Text {
  const style = styleByState.get(state)
  return style === undefined ? state : styled(style, state)
}

/** Pads the columns of a table to the width of their contents. `empty` is said where there is no row. */
export function table(
  header: readonly string[],
  rows: readonly (readonly Text[])[],
  empty: string,
): Text[][] {
  if (rows.length === 0) return [[empty]]
  const cells = [header.map((name) => styled('bold', name)), ...rows]
  const widths = header.map((_, column) => Math.max(...cells.map((row) => lengthOf(row[column] ?? ''))))
  return cells.map((row) =>
    row.flatMap((cell, column) =>
      column === row.length - 1 ? [cell] : [cell, ' '.repeat((widths[column] ?? 0) - lengthOf(cell) + 2)],
    ),
  )
}

/** Lines of a name and a value; those without a value are left out. */
export function facts(
  rows: readonly (readonly [name: string, value: Text | readonly Text[] | undefined])[],
): Text[][] {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.flatMap(([name, value]) =>
    value === undefined ? [] : [[styled('dim', name.padEnd(width + 2)), ...[value].flat()]],
  )
}

/** The lines of a unified diff. */
export function diffLines(diff: string): Text[][] {
  return diff
    .trimEnd()
    .split('\n')
    .map((line) => {
      if (/^(?:diff |index |--- |\+\+\+ |new file|deleted file|rename |similarity )/.test(line))
        return [styled('bold', line)]
      if (line.startsWith('+')) return [styled('green', line)]
      if (line.startsWith('-')) return [styled('red', line)]
      return line.startsWith('@@') ? [styled('cyan', line)] : [line]
    })
}

function lengthOf(text: Text): number {
  return (typeof text === 'string' ? text : text.text).length
}

interface Progress {
  phase: string
  done: number
  /** Null when it is not known. */
  total: number | null
}

/** Shows the progress of long work: on a terminal one line that is rewritten, else one line for each phase. */
export interface ProgressLine {
  show(progress: Progress): void
  /** Removes the line. */
  end(): void
}

const barWidth = 24

export function createProgressLine(stream: NodeJS.WriteStream, now: () => number = Date.now): ProgressLine {
  let phase = ''
  let first = { done: 0, at: 0 }
  return {
    show(progress) {
      if (progress.phase !== phase || progress.done < first.done) {
        if (!stream.isTTY && progress.phase !== phase)
          stream.write(`${makePrintable(capitalized(progress.phase))}\n`)
        phase = progress.phase
        first = { done: progress.done, at: now() }
      }
      if (!stream.isTTY) return
      const line = printLines([describeProgress(progress, (now() - first.at) / 1000, first.done)], stream)
      const fits = stripVTControlCharacters(line).length < stream.columns
      stream.write(
        `\r\u001b[K${fits ? line : makePrintable(shortProgress(progress)).slice(0, stream.columns - 1)}`,
      )
    },
    end() {
      if (stream.isTTY && phase !== '') stream.write('\r\u001b[K')
      phase = ''
    },
  }
}

/** `Reading pages ━━━━━━──── 812 of 1,519 · 310/s · 3 s left`. The rate needs a second to be known. */
function describeProgress(progress: Progress, seconds: number, from: number): Text[] {
  const { done, total } = progress
  const rate = seconds >= 1 && done > from ? (done - from) / seconds : undefined
  const speed =
    rate === undefined ? '' : ` · ${rate >= 10 ? Math.round(rate).toLocaleString('en') : rate.toFixed(1)}/s`
  if (total === null) return [shortProgress(progress), styled('dim', speed)]
  const filled = Math.min(barWidth, Math.floor((done / Math.max(total, 1)) * barWidth))
  const left = rate === undefined || done >= total ? '' : ` · ${duration((total - done) / rate)} left`
  return [
    `${capitalized(progress.phase)} `,
    styled('green', '━'.repeat(filled)),
    styled('dim', '─'.repeat(barWidth - filled)),
    ` ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`,
    styled('dim', `${speed}${left}`),
  ]
}

function shortProgress({ phase, done, total }: Progress): string {
  const of = total === null ? '' : ` of ${total.toLocaleString('en')}`
  return `${capitalized(phase)} ${done.toLocaleString('en')}${of}`
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function duration(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds))
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
