/** Tells of a line of the new text, from 1, whether the old text has none like it. */
export function addedLines(before: string | undefined, after: string): (line: number) => boolean {
  const known = new Set((before ?? '').split('\n').map((line) => line.trim()))
  const lines = after.split('\n')
  return (line) => !known.has((lines[line - 1] ?? '').trim())
}
