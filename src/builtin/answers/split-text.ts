import { type Fence, closesFence, readFence } from '../../site/pages/line.ts'

/** A part of a section, in reading order. */
export type Block =
  | { kind: 'sentence'; text: string; paragraph: number; under: string }
  | { kind: 'list'; items: string[]; ordered: boolean }
  | { kind: 'code'; text: string; lines: number }

const item = /^\s*(?:[-*+•]|(\d{1,3})[.)])\s+(?!\s)(.*)$/

/** Splits a section's plain text into sentences, lists and code blocks. Takes linear time. */
export function splitText(content: string): Block[] {
  const blocks: Block[] = []
  let paragraph: string[] = []
  let list: { items: string[]; ordered: boolean } | undefined
  let code: { fence: Fence; lines: string[] } | undefined
  let number = 0
  let under = ''
  const closeParagraph = () => {
    for (const text of sentencesOf(paragraph.join(' ')))
      blocks.push({ kind: 'sentence', text, paragraph: number, under })
    paragraph = []
    number += 1
  }
  const closeList = () => {
    if (list) blocks.push({ kind: 'list', ...list })
    list = undefined
  }
  for (const line of content.slice(0, 20_000).split('\n')) {
    if (code) {
      code.lines.push(line)
      if (closesFence(line.trimStart(), code.fence)) {
        blocks.push({ kind: 'code', text: code.lines.join('\n'), lines: code.lines.length - 2 })
        code = undefined
      }
      continue
    }
    const fence = readFence(line.trim())
    if (fence) {
      closeParagraph()
      closeList()
      code = { fence, lines: [line] }
      continue
    }
    const heading = /^#{1,6} (.{1,300})$/.exec(line)
    if (heading?.[1] !== undefined) {
      closeParagraph()
      closeList()
      under = heading[1]
      continue
    }
    const listed = line.length < 2000 ? item.exec(line) : null
    if (listed?.[2] !== undefined) {
      closeParagraph()
      const ordered = listed[1] !== undefined
      if (list && list.ordered !== ordered && !/^\s/.test(line)) closeList()
      list ??= { items: [], ordered }
      list.items.push(listed[2].trim())
    } else if (line.trim() === '') {
      closeParagraph()
    } else if (list && /^\s{2,}/.test(line)) {
      const last = list.items.length - 1
      list.items[last] = `${list.items[last] ?? ''} ${line.trim()}`
    } else {
      closeList()
      if (line.includes(' | ')) {
        closeParagraph()
        blocks.push({ kind: 'sentence', text: line.trim(), paragraph: number, under })
      } else paragraph.push(line.trim())
    }
  }
  closeParagraph()
  closeList()
  return blocks
}

const abbreviation =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|fig|no|mr|mrs|ms|dr|st|eq|sec|ch|vol|v\d*|\p{Lu})\.$/iu

/** Sentences of a paragraph. Dots in code, numbers, names and abbreviations do not end a sentence. */
function sentencesOf(paragraph: string): string[] {
  const sentences: string[] = []
  let start = 0
  let code = false
  for (let at = 0; at < paragraph.length; at++) {
    const character = paragraph[at] ?? ''
    if (character === '`') code = !code
    if (code && paragraph.indexOf('`', at + 1) < 0) code = false
    if (code) continue
    const ends = /[。！？]/.test(character)
    const next = paragraph[at + 1]
    const stops = /[.!?]/.test(character) && (next === undefined || /[\s"'”’)\]]/.test(next))
    if (!ends && !stops) continue
    let end = at + 1
    while (/["'”’)\]」』]/.test(paragraph[end] ?? '')) end += 1
    if (!ends) {
      if (end < paragraph.length && !/\s/.test(paragraph[end] ?? '')) continue
      const before = paragraph.slice(Math.max(start, at - 12), at + 1)
      if (character === '.' && abbreviation.test(before)) continue
      const following = /^\s+(\S)/.exec(paragraph.slice(end, end + 20))?.[1]
      if (following !== undefined && /\p{Ll}/u.test(following) && character === '.') continue
    }
    const sentence = paragraph.slice(start, end).trim()
    if (sentence !== '') sentences.push(sentence)
    start = end
  }
  const rest = paragraph.slice(start).trim()
  if (rest !== '') sentences.push(rest)
  return sentences
}
