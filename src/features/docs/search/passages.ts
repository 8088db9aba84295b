import type { Page } from '../../../site/pages/page.ts'

/** About this many characters answer a question; longer sections are cut between paragraphs. */
const longest = 1800

/** A limit for malicious or generated pages: the number of a passage in its page has 16 bits. */
const mostPassages = 20_000

/** A piece of a page that is scored and shown on its own. */
export interface Passage {
  headings: string[]
  anchor: string | undefined
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
  let rest = text
  let at = 0
  while (text.length - at > longest) {
    rest = text.slice(at, at + longest)
    const end = at + breakOf(rest)
    cut.push(text.slice(at, end).trim())
    at = end
  }
  const tail = text.slice(at).trim()
  if (tail !== '' || cut.length === 0) cut.push(tail)
  return cut
}

/** Where to cut: at the last blank line, else line end, else sentence, else space, after the first third. */
function breakOf(window: string): number {
  for (const mark of ['\n\n', '\n', '. ', '。', ' ']) {
    const found = window.lastIndexOf(mark)
    if (found > longest / 3) return found + mark.length
  }
  const last = window.charCodeAt(window.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? window.length - 1 : window.length
}
