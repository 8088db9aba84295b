import { withoutHidden } from '../../lib/text/plain-text.ts'

const longest = 100

/** The first line that is not empty as a title: one line, at most 100 characters. */
export function titleOf(text: string): string {
  const line = firstLine(text)
  if (line === undefined) return 'Update the documentation'
  // Half of a surrogate pair is not valid text.
  return line.length <= longest ? line : `${line.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** The first line that is not empty, with runs of spaces collapsed. */
export function firstLine(text: string): string | undefined {
  return withoutHidden(text.slice(0, 10_000))
    .split(/[\r\n]+/)
    .map((part) => part.replaceAll(/\s+/g, ' ').trim())
    .find((part) => part !== '')
}
