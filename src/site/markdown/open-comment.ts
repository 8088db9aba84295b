import { codeSpan } from './inline-target.ts'

/** A comment that a line opens and does not close. Inline code may show what opens one. */
export function openComment(line: string, inBraces: boolean): { at: number; close: string } | undefined {
  if (!line.includes('<!--') && !(inBraces && line.includes('{/*'))) return undefined
  const marks = /`+|<!--|\{\/\*|\\[`{<]/g
  const unmatched = new Set<number>()
  for (let mark = marks.exec(line); mark; mark = marks.exec(line)) {
    const [sign] = mark
    if (sign.startsWith('`')) marks.lastIndex = codeSpan(line, mark.index, unmatched).end
    else if (sign === '<!--' || (sign === '{/*' && inBraces)) {
      const close = sign === '<!--' ? '-->' : '*/}'
      const end = line.indexOf(close, marks.lastIndex)
      if (end === -1) return { at: mark.index, close }
      marks.lastIndex = end + close.length
    }
  }
  return undefined
}
