import type { ActivePart } from './active-part.ts'
import { firstLine, squeezed } from './active-part.ts'

type Part = Omit<ActivePart, 'line'> & { at: number }

// What turns the direction of a text around, letters that nobody sees, and control characters. Flags are made of the same
// letters, behind a black one.
const hidden =
  /[\u202a-\u202e\u2066-\u2069]|(?<![\u{1f3f4}\u{e0020}-\u{e007e}])[\u{e0001}-\u{e007f}]+|[\u{e0100}-\u{e01ef}]{3,}|(?:[\u200b\u2060-\u2064\ufeff]){4,}|[^\P{Cc}\t\n\r\f]/gu

/** Text that readers and reviewers cannot see as machines read it. */
export function hiddenParts(text: string): Part[] {
  return [...text.matchAll(hidden)].slice(0, 1000).map((match) => {
    const start = text.lastIndexOf('\n', match.index) + 1
    const end = text.indexOf('\n', match.index)
    const line = text.slice(start, end === -1 ? text.length : end).slice(0, 2000)
    return {
      key: `hidden ${squeezed(line)}`,
      what: 'characters that hide text or turn its direction around',
      search: firstLine(line),
      at: match.index,
    }
  })
}
