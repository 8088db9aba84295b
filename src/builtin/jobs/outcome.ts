import type { Plan } from '../replay.ts'

/** The outcome of one request. */
export interface Outcome {
  /** Imperative, for the pull request: `Fix broken links in guides/`. */
  title: string
  /** One sentence: what was done, or why nothing was. */
  what: string
  /** One Markdown line per changed file. */
  changed: string[]
  /** What was left unchanged, and why; Markdown lines. */
  left: string[]
  /** Headings whose text changed, and with it the anchor that links lead to. */
  headings?: RenamedHeading[]
  notUnderstood?: boolean
  /** Requests of which the person may have meant one, where nothing was done. */
  meant?: string[]
}

export interface RenamedHeading {
  from: string
  to: string
}

export type Work = Plan<Outcome>

export const noRedirect = 'No redirect from the old address: none could be set in this repository'

export function nothing(title: string, what: string, left: string[] = []): Outcome {
  return { title, what, changed: [], left }
}

export function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

export function quote(text: string): string {
  return `"${short(text, 80)}"`
}

export function short(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= length) return line
  return `${line
    .slice(0, length - 1)
    .toWellFormed()
    .trimEnd()}…`
}

/** `line 3`, `lines 3, 8 and 12`. */
export function describeLines(lines: readonly number[]): string {
  const some = lines.slice(0, 12)
  const more = lines.length - some.length
  const listed = some.join(', ') + (more > 0 ? ` and ${more} more` : '')
  return lines.length === 1 ? `line ${listed}` : `lines ${listed}`
}
