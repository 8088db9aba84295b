import { tokensIn, type Terms } from './terms.ts'

/** Where a name stands on a page. */
export type PlaceKind = 'heading' | 'span' | 'block' | 'text'

export interface PagePlace {
  term: number
  kind: PlaceKind
  line: number
  /** The section's number on the page, from 0 for what stands before the first heading. */
  section: number
  /** Whether the whole name stands there, and not one word of it. */
  isWhole: boolean
  /** As the page spells what the term is or is in. */
  name: string
  /** The line, cut. */
  text: string
}

export interface PageSection {
  heading: string
  line: number
  end: number
}

export interface PagePlaces {
  sections: PageSection[]
  places: PagePlace[]
}

const mostPlaces = 5000
const longestHeading = 200
const longestText = 200

/** Where a page, line by line, has some terms: the same reading for all formats of pages. */
export function placesOn(page: string, wanted: ReadonlySet<number>, terms: Terms): PagePlaces {
  const lines = page.split('\n')
  const sections: PageSection[] = [{ heading: '', line: 1, end: lines.length }]
  const places: PagePlace[] = []
  let fence: string | undefined
  let isFront = /^(?:---|\+\+\+)\s*$/.test(lines[0] ?? '')
  for (const [index, line] of lines.entries()) {
    if (isFront && index > 0 && /^(?:---|\+\+\+)\s*$/.test(line)) {
      isFront = false
      continue
    }
    const mark = isFront ? undefined : /^\s{0,20}(```+|~~~+|-{4,}\s*$)/.exec(line)?.[1]?.trim()
    if (
      mark !== undefined &&
      (fence === undefined ? !mark.startsWith('-') : mark.startsWith(fence.slice(0, 3)))
    ) {
      fence = fence === undefined ? mark : undefined
      continue
    }
    const isCode = fence !== undefined
    const heading = isCode ? undefined : headingOf(line, lines[index + 1] ?? '', isFront)
    if (heading !== undefined && !isFront) {
      const last = sections.at(-1)
      if (last !== undefined) last.end = index
      sections.push({ heading: heading.slice(0, longestHeading), line: index + 1, end: lines.length })
    } else if (heading !== undefined && sections[0] !== undefined) sections[0].heading = heading
    if (places.length >= mostPlaces) continue
    const section = sections.length - 1
    const text = line.trim().slice(0, longestText)
    for (const { name, index: at } of tokensIn(line)) {
      const { name: whole, words } = terms.of(name)
      if (whole < 0) continue
      const isSpan = !isCode && isInSpan(line, at)
      const kind = heading !== undefined ? 'heading' : isCode ? 'block' : isSpan ? 'span' : 'text'
      if (wanted.has(whole))
        places.push({ term: whole, kind, line: index + 1, section, isWhole: true, name, text })
      for (const word of words)
        if (wanted.has(word))
          places.push({ term: word, kind, line: index + 1, section, isWhole: false, name, text })
    }
  }
  return { sections, places }
}

function headingOf(line: string, next: string, isFront: boolean): string | undefined {
  if (isFront) return /^(?:title|sidebar_label|linkTitle):\s*(.+)/.exec(line)?.[1]?.trim()
  const marked = /^\s{0,3}(?:#{1,6}|={1,6})\s+(.+)/.exec(line)?.[1]?.trim()
  if (marked !== undefined) return marked
  // Underlined, as in reStructuredText and Markdown.
  return line.trim() !== '' &&
    line.length < 200 &&
    !/^[-=~^"*+|>#:]/.test(line) &&
    /^([=\-~^"])\1{2,}\s*$/.test(next)
    ? line.trim()
    : undefined
}

/** Between an odd number of backticks before and at least one behind. */
function isInSpan(line: string, at: number): boolean {
  return line.slice(0, at).split('`').length % 2 === 0 && line.includes('`', at)
}
