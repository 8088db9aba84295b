export interface Hunk {
  search: string
  replace: string
  /** The line at which `search` starts. */
  line: number
}

/** The hunks of a diff without context as replacements of whole lines, the last one first. */
export function readHunks(diff: string, before: string): Hunk[] {
  const old = before.split('\n')
  const hunks: Hunk[] = []
  let current: { start: number; count: number; added: string[]; open: boolean } | undefined
  const close = (): void => {
    if (current) hunks.push(hunkOf(old, current))
  }
  for (const line of diff.split('\n')) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@/.exec(line)
    if (head) {
      close()
      current = { start: Number(head[1]), count: Number(head[2] ?? 1), added: [], open: false }
    } else if (current && line.startsWith('+')) {
      current.added.push(line.slice(1))
      current.open = false
    } else if (current && line.startsWith('\\') && current.added.length > 0) current.open = true
  }
  close()
  return hunks.reverse()
}

/** Lines of the view end with `\n` alone, so a hunk at the end of the file includes the line before it. */
function hunkOf(
  old: readonly string[],
  { start, count, added, open }: { start: number; count: number; added: readonly string[]; open: boolean },
): Hunk {
  const plain = (text: string): string => (text.endsWith('\r') ? text.slice(0, -1) : text)
  const ended = old.at(-1) === ''
  const total = ended ? old.length - 1 : old.length
  const last = start - 1 + count
  const removed = old.slice(start - 1, last).map(plain)
  const text = added.map(plain)
  if (count === 0) {
    // An insertion after line `start`, or before the first line.
    const anchor = Math.max(0, start - 1)
    const line = plain(old[anchor] ?? '')
    const hasEnd = anchor < total - 1 || ended
    const lines = start === 0 ? [...text, line] : [line, ...text]
    const end = hasEnd ? !(open && anchor === total - 1) : start > 0 && !open
    return {
      search: hasEnd ? `${line}\n` : line,
      replace: `${lines.join('\n')}${end ? '\n' : ''}`,
      line: anchor + 1,
    }
  }
  if (last < total) {
    // Includes the line end, so that removing lines leaves no empty ones.
    return {
      search: `${removed.join('\n')}\n`,
      replace: text.map((line) => `${line}\n`).join(''),
      line: start,
    }
  }
  const search = `${removed.join('\n')}${ended ? '\n' : ''}`
  if (text.length > 0) return { search, replace: `${text.join('\n')}${open ? '' : '\n'}`, line: start }
  // The last lines of the file are removed. The line end before them stays only if the file ended with one.
  return { search, replace: '', line: start }
}
