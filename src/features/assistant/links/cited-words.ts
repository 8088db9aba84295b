import { createFences } from '../../../site/markdown/fence.ts'
import { readLine } from '../../../site/markdown/line.ts'

const longestWords = 500
const mostPerLink = 5
const longestRead = 40_000
const longestLabel = 1000

/** A link in plain text, its label included. */
interface Label {
  url: string
  start: number
  end: number
}

/**
 * The words that each link of a reply stands for, as plain text: the sentence that holds the link, or, where the link
 * stands for itself, what stands before it in its block, or the blocks since the last link.
 * @param reply Markdown that the link guard let through
 * @returns by address, at most five each, of at most 500 characters; a line for each row of a table
 */
export function citedWords(reply: string, urls: ReadonlySet<string>): Map<string, string[]> {
  const wordsByUrl = new Map<string, string[]>()
  const add = (url: string, words: string): void => {
    const known = wordsByUrl.get(url) ?? []
    if (words === '' || known.includes(words) || known.length === mostPerLink) return
    wordsByUrl.set(url, [...known, words])
  }
  let before: string[] = []
  for (const block of blocksOf(reply.slice(0, longestRead))) {
    const units = block.code ? [] : unitsOf(block.lines).map((unit) => readLinks(unit, urls))
    let pending = ''
    for (const { text, labels } of units) {
      if (labels.length === 0) {
        pending += `${text}\n`
        continue
      }
      let next = 0
      for (const { segment, index } of sentences.segment(text)) {
        const first = next
        while ((labels[next]?.start ?? Infinity) < index + segment.length) next++
        const own = labels.slice(first, next)
        if (own.length === 0) {
          pending += segment
          continue
        }
        const alone = !saysMore(segment, index, own)
        const stands = !alone ? [segment] : pending.trim() === '' ? before : [pending]
        const named = new Set(own.map(({ url }) => url))
        for (const words of stands.map(plain)) for (const url of named) add(url, words)
        pending = ''
      }
    }
    // The words before a block of links are not those of the blocks behind it.
    if (units.some(({ labels }) => labels.length > 0)) before = []
    else if (block.code || !/[:：]$/.test(block.lines.at(-1)?.trimEnd() ?? ''))
      before = [...before.slice(1 - mostPerLink), block.lines.map(withoutMarker).join('\n')]
  }
  return wordsByUrl
}

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })

interface Block {
  lines: string[]
  code: boolean
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  const fences = createFences()
  for (const line of text.split('\n')) {
    const read = readLine(line)
    const part = fences.inside(read)
    if (part === 'content') open?.lines.push(line)
    else if (part === 'end') open = undefined
    else if (fences.open(read)) blocks.push((open = { lines: [], code: true }))
    else if (line.trim() === '') open = undefined
    else if (open?.code === false) open.lines.push(line)
    else blocks.push((open = { lines: [line], code: false }))
  }
  return blocks
}

// Items, rows and headings are apart, however they end.
function unitsOf(lines: string[]): string[] {
  const units: string[] = []
  for (const line of lines) {
    const apart = units.length === 0 || /^\s*(?:[-*+|#>]|\d{1,9}[.)]\s)/.test(line)
    if (apart) units.push(line)
    else units.push(`${units.pop() ?? ''} ${line}`)
  }
  return units
}

// The marker of a list's item, or of a heading or quote.
function withoutMarker(line: string): string {
  return line.replace(/^\s*(?:[-*+#>]+|\d{1,9}[.)])\s/, '')
}

function readLinks(line: string, urls: ReadonlySet<string>): { text: string; labels: Label[] } {
  const unit = withoutMarker(line)
  const labels: Label[] = []
  let text = ''
  let at = 0
  for (let bracket = unit.indexOf('](', at); bracket >= 0; bracket = unit.indexOf('](', bracket + 2)) {
    const close = unit.indexOf(')', bracket)
    const url = close < 0 ? '' : unit.slice(bracket + 2, close)
    const open = urls.has(url) ? findOpen(unit, Math.max(at, bracket - longestLabel), bracket) : -1
    if (open < 0) continue
    text += unit.slice(at, open)
    const label = unit.slice(open + 1, bracket)
    labels.push({ url, start: text.length, end: text.length + label.length })
    const alone = /(?:^|[.!?:。！？])\s*$/.test(text.slice(-4))
    at = close + 1
    // A link between two sentences is a sentence of its own.
    text += alone && /^\s+[\p{Lu}\p{Lo}]/u.test(unit.slice(at, at + 4)) ? `${label}\u2029` : label
  }
  text += unit.slice(at)
  for (const url of labels.length === 0 ? urls : []) {
    const start = text.indexOf(`<${url}>`)
    if (start >= 0) labels.push({ url, start, end: start + url.length + 2 })
  }
  return { text, labels: labels.sort((a, b) => a.start - b.start) }
}

function findOpen(unit: string, from: number, bracket: number): number {
  let depth = 0
  for (let at = bracket; at >= from; at--) {
    if (unit[at - 1] === '\\') continue
    if (unit[at] === ']') depth++
    else if (unit[at] === '[' && --depth === 0) return at
  }
  return -1
}

// Whether a sentence has words beside the labels of its links.
function saysMore(sentence: string, index: number, labels: Label[]): boolean {
  let rest = ''
  let at = 0
  for (const { start, end } of labels) {
    rest += sentence.slice(at, start - index)
    at = Math.max(at, end - index)
  }
  return /[\p{L}\p{N}]/u.test(rest + sentence.slice(at))
}

function plain(text: string): string {
  const bare = text.slice(0, 4 * longestWords).replaceAll(/[*`\u2060\\|]/gu, '')
  // Rows of a table stay lines: those between them may have been left out.
  const lines = text.startsWith('|') ? bare.split('\n').filter((line) => !/^[\s:-]*$/.test(line)) : [bare]
  const words = lines.map((line) => line.replaceAll(/\s+/g, ' ').trim()).join('\n')
  return words.slice(0, longestWords).toWellFormed()
}
