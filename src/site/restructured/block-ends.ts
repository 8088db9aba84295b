import { indentOf, isBlank, type Lines } from './blocks.ts'
import { isSimpleBorder } from './tables.ts'

/** The end of what is indented, from a line on. */
export function endOfIndented(lines: Lines, from: number): number {
  let end = from
  for (let at = from; at < lines.length; at++) {
    const line = lines[at]
    if (line === undefined || isBlank(line)) continue
    if (!line.text.startsWith(' ')) break
    end = at + 1
  }
  return end
}

/** The end of an item whose text begins at a column: what is indented less is none of it. */
export function endOfKnown(lines: Lines, from: number, column: number): number {
  let end = from + 1
  for (let at = end; at < lines.length; at++) {
    const line = lines[at]
    if (line === undefined || isBlank(line)) continue
    if (indentOf(line) < column) break
    end = at + 1
  }
  return end
}

/** The end of what begins at a line and goes on indented. */
export function endOfBody(lines: Lines, at: number): number {
  // A mark alone above an empty line holds nothing.
  if (lines[at]?.text === '..' && isBlank(lines[at + 1] ?? { text: '', at: 0, index: 0 })) return at + 1
  return Math.max(at + 1, endOfIndented(lines, at + 1))
}

export function endOfParagraph(lines: Lines, at: number): number {
  let end = at
  for (let line = lines[end]; line !== undefined && !isBlank(line); line = lines[end]) end++
  return end
}

export function endOfLines(lines: Lines, at: number): number {
  let end = at
  for (let line = lines[end]; line !== undefined && /^(?:\|(?: |$)| )/.test(line.text); line = lines[end])
    end++
  return end
}

/** The end of a table between lines of `=`: a border with an empty line below it, but not the one below the head. */
export function endOfSimple(lines: Lines, from: number): number {
  const first = lines[from]?.text.trimEnd() ?? ''
  let borders = 0
  for (let at = from + 1; at < lines.length; at++) {
    const line = lines[at]
    if (line === undefined || line.text === '' || line.text[0] !== '=' || !isSimpleBorder(line.text)) continue
    borders++
    const next = lines[at + 1]
    if (borders === 2 || next === undefined || isBlank(next) || line.text.trimEnd().length < first.length / 2)
      return at + 1
  }
  return from
}
