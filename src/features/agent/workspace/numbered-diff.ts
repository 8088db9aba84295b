import { unquotedPath } from '../../../lib/text/unquoted-path.ts'

/** A line of a diff, by its number in the file before or after the change. */
interface DiffLine {
  path: string
  side: 'old' | 'new'
  line: number
}

/**
 * A unified diff of git in which every line has its number and a tab behind its sign: that of the old file for a line that
 * goes, of the new one for all others. Lines about modes and ids of blobs are left out.
 */
export function numberDiff(diff: string): string {
  const lines: string[] = []
  const count = createCount()
  for (const line of diff.split('\n')) {
    const number = count(line)
    if (number !== undefined) lines.push(`${line.slice(0, 1)}${number}\t${line.slice(1)}`)
    else if (!/^(?:index [0-9a-f]+\.\.|old mode |new mode |similarity index )/.test(line)) lines.push(line)
  }
  return lines.join('\n')
}

/** Numbers lines of hunks one after the other; undefined for a line that is in none. */
export function createCount(): (line: string) => number | undefined {
  let [old, oldLeft, now, nowLeft] = [0, 0, 0, 0]
  return (line) => {
    if (oldLeft <= 0 && nowLeft <= 0) {
      const [, oldStart, oldLines = '1', newStart, newLines = '1'] = hunk.exec(line) ?? []
      if (oldStart === undefined || newStart === undefined) return undefined
      old = Number(oldStart)
      oldLeft = Number(oldLines)
      now = Number(newStart)
      nowLeft = Number(newLines)
      return undefined
    }
    if (line.startsWith('-')) {
      oldLeft--
      return old++
    }
    if (line.startsWith('+')) {
      nowLeft--
      return now++
    }
    if (!line.startsWith(' ') && line !== '') return undefined
    oldLeft--
    nowLeft--
    old++
    return now++
  }
}

/** The lines that a numbered diff shows. */
export function* readNumberedDiff(diff: string): Generator<DiffLine> {
  let before: string | undefined
  let after: string | undefined
  for (const line of diff.split('\n')) {
    const [, sign, number] = /^([ +-])(\d{1,7})\t/.exec(line) ?? []
    if (sign !== undefined && number !== undefined) {
      const path = sign === '-' ? before : after
      if (path !== undefined) yield { path, side: sign === '-' ? 'old' : 'new', line: Number(number) }
    } else if (line.startsWith('--- ')) before = pathIn(line, 'a/')
    else if (line.startsWith('+++ ')) after = pathIn(line, 'b/')
  }
}

const hunk = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/

/** Of `--- a/path`, which git quotes where it holds special characters; undefined for /dev/null. */
function pathIn(line: string, prefix: string): string | undefined {
  const name = unquotedPath(line.slice(4).replace(/\t$/, ''))
  return name.startsWith(prefix) ? name.slice(prefix.length) : undefined
}
