/** Something in a page that runs, loads or includes, or that sends readers' browsers elsewhere. */
export interface ActivePart {
  /** Two parts of the same key do the same: what the base has under it is nothing new. */
  key: string
  line: number
  /** What it is, as the end of "It would add …". */
  what: string
  /** In a comment, escaped or indented as code: what only slept before must not wake. */
  isAsleep?: boolean
  /** A piece of one line that files of the base with this part hold. */
  search: string
}

/** White space does not count. */
export function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** As `squeezed`, but for line ends: in code they end comments. */
export function withLines(text: string): string {
  return text
    .split('\n')
    .map(squeezed)
    .filter((line) => line !== '')
    .join('\n')
}

/** The first line of a text that says something, short enough to search for. */
export function firstLine(text: string): string {
  const line = text.split('\n').find((one) => one.trim().length > 1) ?? ''
  return line.trim().slice(0, 300)
}

/** Cut and without line ends, for messages. */
export function shown(text: string): string {
  const line = squeezed(text)
  return line.length > 80 ? `${line.slice(0, 80).toWellFormed()}…` : line
}
