import { ToolError } from '../../lib/tool-error.ts'

/** A replacement of `[start, end)` of a text; the rest stays as it is, byte for byte. */
export interface Edit {
  start: number
  end: number
  text: string
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of UTF-8 bytes with its byte order mark, so that encoding it gives the same bytes; undefined for anything else. */
export function decodeExact(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** @throws ToolError `internal` for edits that overlap */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = []
  let at = 0
  for (const edit of [...edits].sort((one, other) => one.start - other.start || one.end - other.end)) {
    if (edit.start < at || edit.end < edit.start || edit.end > text.length) {
      throw new ToolError('internal', 'Two of the edits overlap')
    }
    parts.push(text.slice(at, edit.start), edit.text)
    at = edit.end
  }
  parts.push(text.slice(at))
  return parts.join('')
}

export interface Line {
  start: number
  /** Before the line's end. */
  end: number
  /** `\n`, `\r\n`, or nothing at the end of a file without a final newline. */
  ending: string
}

/** The lines of a text without its byte order mark. There is no empty line after a final newline. */
export function splitLines(text: string): Line[] {
  const lines: Line[] = []
  for (let start = text.startsWith('\uFEFF') ? 1 : 0; start < text.length;) {
    const newline = text.indexOf('\n', start)
    if (newline === -1) {
      lines.push({ start, end: text.length, ending: '' })
      break
    }
    const crlf = newline > start && text[newline - 1] === '\r'
    lines.push({ start, end: crlf ? newline - 1 : newline, ending: crlf ? '\r\n' : '\n' })
    start = newline + 1
  }
  return lines
}

/** The line ending that a text uses around an offset: that of its line, else of the line before, else a plain one. */
export function endingAt(text: string, offset: number): string {
  let newline = text.indexOf('\n', offset)
  if (newline === -1) newline = text.lastIndexOf('\n')
  return newline > 0 && text[newline - 1] === '\r' ? '\r\n' : '\n'
}

/** Returns a function from offset to line, from 1, that reads the text only once for any number of offsets. */
export function lineFinder(text: string): (offset: number) => number {
  const ends: number[] = []
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) ends.push(at)
  return (offset) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) < offset) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}
