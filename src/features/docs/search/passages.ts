import type { Page } from '../../../site/pages/page.ts'

/** About this many characters answer a question; longer sections are cut between paragraphs. */
const longest = 1800

/** A limit for malicious or generated pages: the number of a passage in its page has 16 bits. */
const mostPassages = 20_000

/** A section, or a piece of a long one: what the ranking scores. */
export interface Passage {
  headings: string[]
  anchor: string | undefined
  /** The texts of a section's passages, one after the other, are exactly the text of the section. */
  text: string
  /** Whether it is the first passage of its section, for which the section's own heading is counted. */
  opens: boolean
}

/** Cuts a page into passages, in reading order; never empty. The description stands before the first text. */
export function passagesOf(page: Page): Passage[] {
  const passages: Passage[] = []
  const lead = page.description ?? ''
  page.sections.forEach((section, index) => {
    const said = index > 0 || lead === '' || section.text.startsWith(lead)
    const text = said ? section.text : `${lead}\n\n${section.text}`.trim()
    if (text === '' && section.headings.length === 0) return
    let opens = true
    for (const piece of pieces(text)) {
      if (passages.length >= mostPassages) return
      passages.push({ headings: section.headings, anchor: section.anchor, text: piece, opens })
      opens = false
    }
  })
  if (passages.length === 0) passages.push({ headings: [], anchor: undefined, text: lead, opens: true })
  return passages
}

function pieces(text: string): string[] {
  const cut: string[] = []
  let at = 0
  while (text.length - at > longest) {
    const end = at + breakOf(text.slice(at, at + longest))
    cut.push(text.slice(at, end))
    at = end
  }
  const tail = text.slice(at)
  if (tail !== '' || cut.length === 0) cut.push(tail)
  return cut
}

/** Where to cut: at the last blank line, else line end, else sentence, else space, after the first third. */
function breakOf(window: string): number {
  for (const mark of ['\n\n', '\n', '. ', '。', ' ']) {
    const at = window.lastIndexOf(mark)
    if (at > longest / 3) return at + mark.length
  }
  const last = window.charCodeAt(window.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? window.length - 1 : window.length
}
