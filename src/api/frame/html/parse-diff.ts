import { unquotedPath } from '../../../lib/text/unquoted-path.ts'

/** One file of a unified diff as git writes it, with its hunks. */
export interface DiffFile {
  path: string
  oldPath: string | undefined
  status: 'added' | 'deleted' | 'renamed' | 'changed'
  binary: boolean
  hunks: Hunk[]
  additions: number
  deletions: number
  /** Hunks were left out because the diff is too long. */
  cut: boolean
}

interface Hunk {
  header: string
  lines: DiffLine[]
}

export interface DiffLine {
  kind: 'added' | 'removed' | 'same' | 'note'
  before: number | undefined
  after: number | undefined
  text: string
}

/**
 * Reads as many lines as the hunk headers announce, so that a line of text that looks like a header stays text.
 * @param maximumLines the most lines of hunks that are kept over all files; lines beyond it are only counted
 */
export function parseDiff(
  diff: string,
  maximumLines: number,
): { files: DiffFile[]; note: string | undefined } {
  const files: DiffFile[] = []
  let note: string | undefined
  let file: DiffFile | undefined
  let hunk: Hunk | undefined
  let left = { before: 0, after: 0 }
  let at = { before: 0, after: 0 }
  let kept = 0
  for (const line of linesOf(diff)) {
    const marker = line[0]
    const inside = left.before > 0 || left.after > 0
    if (file && inside && (marker === '+' || marker === '-' || marker === ' ' || marker === undefined)) {
      const added = marker === '+'
      const removed = marker === '-'
      if (added) file.additions++
      if (removed) file.deletions++
      if (hunk) {
        hunk.lines.push({
          kind: added ? 'added' : removed ? 'removed' : 'same',
          before: added ? undefined : at.before,
          after: removed ? undefined : at.after,
          text: line.slice(1),
        })
        kept++
      }
      if (!added) {
        at.before++
        left.before--
      }
      if (!removed) {
        at.after++
        left.after--
      }
    } else if (line.startsWith('diff --git ')) {
      file = {
        path: headerPath(line),
        oldPath: undefined,
        status: 'changed',
        binary: false,
        hunks: [],
        additions: 0,
        deletions: 0,
        cut: false,
      }
      files.push(file)
      hunk = undefined
      left = { before: 0, after: 0 }
    } else if (file && line.startsWith('@@ ')) {
      const match = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line)
      at = { before: Number(match?.[1] ?? 0), after: Number(match?.[3] ?? 0) }
      left = { before: Number(match?.[2] ?? 1), after: Number(match?.[4] ?? 1) }
      hunk = kept < maximumLines ? { header: line, lines: [] } : undefined
      if (hunk) file.hunks.push(hunk)
      else file.cut = true
    } else if (line.startsWith('\\')) {
      hunk?.lines.push({ kind: 'note', before: undefined, after: undefined, text: line.slice(2) })
    } else if (line.startsWith('# ')) {
      note = line.slice(2)
    } else if (file && file.hunks.length === 0) readHeader(file, line)
  }
  return { files, note }
}

function readHeader(file: DiffFile, line: string): void {
  if (line.startsWith('new file mode')) file.status = 'added'
  else if (line.startsWith('deleted file mode')) file.status = 'deleted'
  else if (line.startsWith('rename from ')) {
    file.status = 'renamed'
    file.oldPath = unquotedPath(line.slice(12))
  } else if (line.startsWith('rename to ')) file.path = unquotedPath(line.slice(10))
  else if (line.startsWith('+++ ') && !line.startsWith('+++ /dev/null'))
    file.path = withoutPrefix(unquotedPath(line.slice(4)))
  else if (line.startsWith('--- ') && !line.startsWith('--- /dev/null') && file.status === 'deleted')
    file.path = withoutPrefix(unquotedPath(line.slice(4)))
  else if (line.startsWith('Binary files ') || line === 'GIT binary patch') file.binary = true
}

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start)
    yield text.slice(start, end === -1 ? text.length : end)
    start = end === -1 ? text.length : end + 1
  }
}

// Only files without changed lines (mode changes, binary files) are named by this line alone, and both of its paths
// are then the same.
function headerPath(line: string): string {
  const rest = line.slice('diff --git '.length)
  if (rest.startsWith('"')) return withoutPrefix(unquotedPath(rest.slice(0, rest.indexOf('" ') + 1) || rest))
  return rest.slice(Math.floor(rest.length / 2) + 1).replace(/^b\//, '')
}

// git ends a path that holds a space with a tab.
function withoutPrefix(path: string): string {
  return path.replace(/^[ab]\//, '').replace(/\t$/, '')
}
