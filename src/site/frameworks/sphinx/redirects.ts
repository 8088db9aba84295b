import type { RedirectList, SourceFile } from '../../navigation/navigation-tree.ts'
import { type Edit, endingAt, splitLines } from '../../text/text-file.ts'

interface WrittenPair {
  from: string
  to: string
  start: number
  end: number
  /** The line with its end. */
  next: number
  quote: string
}

const pair = /^\s{0,20}("?)([^"\s]{1,500})\1[ \t]{1,20}("?)([^"\s]{1,500})\3\s{0,20}$/

/** The lines `"old.md" "new.md"` of the file that sphinxext-rediraffe reads. */
export function readRediraffe(text: string): WrittenPair[] {
  return splitLines(text).flatMap(({ start, end, ending }) => {
    const [, quote = '', from, , to] = pair.exec(text.slice(start, Math.min(end, start + 1200))) ?? []
    if (from === undefined || to === undefined || from.startsWith('#')) return []
    return [{ from, to, start, end, next: end + ending.length, quote }]
  })
}

/** These redirects as they can be edited; pages are named by their paths below `root`. */
export function rediraffeRedirects(file: SourceFile, root: string): RedirectList {
  const { text } = file
  const written = readRediraffe(text)
  const line = (from: string, to: string, quote: string) => `${quote}${from}${quote} ${quote}${to}${quote}`
  return {
    path: file.path,
    namesFiles: true,
    entries: written.map((one) => ({
      from: one.from,
      to: one.to,
      hash: undefined,
      retarget: (to): Edit[] => [{ start: one.start, end: one.end, text: line(one.from, to, one.quote) }],
      whole: {
        replace: (from, to) => [{ start: one.start, end: one.end, text: line(from, to, one.quote) }],
        remove: () => [{ start: one.start, end: one.next, text: '' }],
      },
    })),
    nameOf: ({ path }) => path.slice(root.length),
    isSame: (one, other) => one === other,
    append: (from, to) => {
      const ending = endingAt(text, text.length)
      const isOpen = text !== '' && !text.endsWith('\n')
      const entry = line(from, to, written.at(-1)?.quote ?? '"')
      return [{ start: text.length, end: text.length, text: `${isOpen ? ending : ''}${entry}${ending}` }]
    },
  }
}
