import { termsOf } from '../../lib/question-terms.ts'
import type { Block } from './read-blocks.ts'

/** Blocks of a section that stand one after the other. */
export interface Quote {
  blocks: Block[]
  /** How well they answer. */
  score: number
}

/** What a question asks for, by the words with which it is asked. */
const steps =
  /\b(?:how|install\w*|set ?up|configur\w*|creat\w*|enabl\w*|disabl\w*|run|start|steps?|deploy\w*|use|add|command|example|connect|wie|comment|cómo|como|como|instalar|installieren)\b|как|如何|怎么|怎样|安装|配置|使用|步骤|方法|どうやって|するには|어떻게/iu
const definition =
  /^\W*(?:what(?:'s|’s| is| are)|what does .{1,100} (?:do|mean)\b|define|explain|was (?:ist|sind)|qu[’']est-ce|qué (?:es|son)|o que é|что такое)\b|什么是|是什么|とは|이란|무엇/iu
const value =
  /\b(?:default|defaults|how (?:many|much|long|big|large|often)|maximum|minimum|limit|limits|which|value|values|option|type|port|price)\b|默认|多少|几|デフォルト|기본/iu

/** Characters of prose to which a short quote grows, and at most. */
const enough = 420
/** A section of this length is quoted as a whole. */
const mostWhole = 700
const longest = 900
const mostRows = 8
const mostItems = 14
const mostCodeLines = 40
const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/**
 * The best blocks of a section: a paragraph, a list or code with the sentence that introduces it, rows of a table
 * with its header.
 * @param shareOf the share of the question that a set of terms holds
 */
export function chooseQuote(
  blocks: readonly Block[],
  question: string,
  heading: ReadonlySet<string>,
  shareOf: (terms: ReadonlySet<string>) => number,
): Quote | undefined {
  const wants = {
    steps: steps.test(question),
    definition: asksForDefinition(question),
    value: value.test(question),
  }
  const inHeading = shareOf(heading)
  const firstProse = blocks.findIndex((block) => block.kind === 'paragraph' && !isLabel(block))
  const scores = blocks.map((block, at) => {
    const terms = new Set(termsOf(plainOf(block).slice(0, 4000)))
    const own = shareOf(terms)
    for (const term of heading) terms.add(term)
    // Below a heading, a block need not repeat its words.
    let score = own > 0 ? own + 0.4 * (shareOf(terms) - own) : 0.2 * inHeading
    score /= 1 + Math.max(0, Math.min(lengthOf(block), 1200) - 300) / 1500
    if (wants.steps && !wants.definition) score += bonusOf(block, blocks[at - 1])
    if (wants.definition && at === firstProse) score += 0.15
    if (wants.value && /\d|`/.test(plainOf(block))) score += 0.04
    if (wants.value && block.kind === 'table') score += 0.08
    const saysLittle = isLabel(block) || isImport(block) || (leads(block) && at === blocks.length - 1)
    if (saysLittle) score *= 0.4
    return score - 0.03 * Math.min(at, 8)
  })
  const [best] = scores.map((score, at) => ({ score, at })).sort((a, b) => b.score - a.score || a.at - b.at)
  if (!best) return undefined
  const isShort = blocks.length <= 6 && blocks.reduce((sum, block) => sum + lengthOf(block), 0) <= mostWhole
  const { from, to } = isShort ? { from: 0, to: blocks.length } : around(blocks, best.at, wants.steps)
  const chosen = blocks.slice(from, to).map((block) => shorten(block, shareOf))
  const length = chosen.reduce((sum, block) => sum + lengthOf(block), 0)
  // Steps, code or at least some prose: where a way is asked for, a short text is often only an introduction.
  const shows = chosen.some((block) => bonusOf(block, undefined) > 0) ? 0.3 : length < 350 ? -0.2 : 0
  const asks = wants.steps && !wants.definition
  return { blocks: chosen, score: Math.max(0, best.score) + (asks ? shows : 0) }
}

/** Whether code only imports what other code uses. */
function isImport(block: Block): boolean {
  if (block.kind !== 'code') return false
  const lines = block.lines.filter((line) => line.trim() !== '')
  return /^\s*import\b/.test(lines[0] ?? '') && /^\s*(?:import\b|\}\s*from\b)/.test(lines.at(-1) ?? '')
}

export function asksForDefinition(question: string): boolean {
  return definition.test(question.slice(0, 300))
}

/** Steps and code answer a question for a way. */
function bonusOf(block: Block, before: Block | undefined): number {
  if (block.kind === 'code') return block.lines.length <= mostCodeLines ? 0.1 : 0.03
  if (block.kind === 'list' && block.items.some(({ marker }) => marker !== '-')) return 0.12
  return block.kind === 'list' && before !== undefined && leads(before) ? 0.04 : 0
}

/** The blocks that belong to the best one: what introduces it, what it introduces, and what follows a short one. */
function around(blocks: readonly Block[], at: number, steps: boolean): { from: number; to: number } {
  let from = at
  let to = at + 1
  const lengthSoFar = () => blocks.slice(from, to).reduce((sum, block) => sum + lengthOf(block), 0)
  const own = blocks[at]
  if (own && own.kind !== 'paragraph') {
    while (from > 0 && lengthOf(blocks[from - 1]) < 400) {
      const before = blocks[from - 1]
      if (before?.kind !== 'paragraph') break
      from -= 1
      // Above the name of a tab stands what introduces all of them.
      if (!isLabel(before)) break
    }
  } else if (
    own &&
    /^(?:this|that|these|those|it|they|however|also|then|otherwise|instead)\b/i.test(plainOf(own))
  ) {
    const before = blocks[at - 1]
    if (before?.kind === 'paragraph' && lengthOf(before) + lengthOf(own) < longest) from -= 1
  }
  if (own?.kind === 'list') from = Math.min(from, firstStep(blocks, at))
  const lead = blocks[from - 1]
  if (lead && leads(lead)) from -= 1
  // Numbered steps go on behind the code of one of them.
  if (own?.kind === 'list' || own?.kind === 'code') {
    for (let next = to; next < Math.min(blocks.length, to + 8); next++) {
      const block = blocks[next]
      if (block?.kind === 'list' && continues(blocks.slice(from, next), block) && next - from <= 12)
        to = next + 1
    }
  }
  while (to < blocks.length) {
    const last = blocks[to - 1]
    const next = blocks[to]
    if (!last || !next) break
    const length = lengthSoFar()
    const introduced = leads(last) || (isLabel(last) && next.kind !== 'paragraph')
    const shown = steps && last.kind !== 'code' && next.kind === 'code' && next.lines.length <= mostCodeLines
    if (introduced || shown) to += 1
    else if (
      next.kind === 'paragraph' &&
      !isLabel(next) &&
      length < enough &&
      length + lengthOf(next) < longest
    )
      to += 1
    else break
  }
  // A sentence that introduces what is not shown, or the name of a tab, says nothing.
  const end = blocks[to - 1]
  if (to - 1 > at && end && (leads(end) || isLabel(end))) to -= 1
  return { from, to }
}

/** Where the steps begin of which a list is the continuation. */
function firstStep(blocks: readonly Block[], at: number): number {
  let from = at
  for (let before = at - 1; before >= Math.max(0, at - 10); before--) {
    const list = blocks[from]
    if (
      list?.kind === 'list' &&
      blocks[before]?.kind === 'list' &&
      continues(blocks.slice(before, from), list)
    )
      from = before
  }
  return from
}

function continues(before: readonly Block[], list: Extract<Block, { kind: 'list' }>): boolean {
  const first = Number.parseInt(list.items[0]?.marker ?? '', 10)
  const earlier = before.findLast(
    (block) => block.kind === 'list' && block.items.some(({ marker }) => marker !== '-'),
  )
  if (earlier?.kind !== 'list') return false
  const last = earlier.items.findLast(({ marker }) => marker !== '-')
  return first > 1 && Number.parseInt(last?.marker ?? '', 10) + 1 === first
}

/** A long block is cut to the part that answers, which stays in one piece. */
function shorten(block: Block, shareOf: (terms: ReadonlySet<string>) => number): Block {
  const shares = (parts: readonly string[]) => parts.map((part) => shareOf(new Set(termsOf(part))))
  if (block.kind === 'code' && block.lines.length > mostCodeLines)
    return { ...block, lines: [...block.lines.slice(0, mostCodeLines - 10), '…'] }
  if (block.kind === 'code') return block
  if (block.kind === 'table') {
    if (block.rows.length <= mostRows) return block
    const scores = shares(block.rows.map((row) => row.join(' ')))
    const top = Math.max(...scores)
    if (top === 0) return { ...block, rows: block.rows.slice(0, mostRows) }
    return { ...block, rows: block.rows.filter((_, at) => (scores[at] ?? 0) >= top * 0.8).slice(0, mostRows) }
  }
  if (block.kind === 'list') {
    if (block.items.length <= mostItems) return block
    const scores = shares(block.items.map(({ text }) => text))
    const numbered = block.items[0]?.marker !== '-'
    const from = numbered ? 0 : bestStart(scores, mostItems)
    return { ...block, items: block.items.slice(from, from + mostItems) }
  }
  if (block.text.length <= longest) return block
  const sentences = [...segmenter.segment(block.text)].map(({ segment }) => segment)
  const scores = shares(sentences)
  let from = scores.indexOf(Math.max(...scores))
  let to = from + 1
  let length = sentences[from]?.length ?? 0
  // One sentence before and what follows, while it is short.
  if (from > 0 && length + (sentences[from - 1]?.length ?? 0) < longest)
    length += sentences[--from]?.length ?? 0
  while (to < sentences.length && length + (sentences[to]?.length ?? 0) < longest)
    length += sentences[to++]?.length ?? 0
  return {
    ...block,
    text: sentences
      .slice(from, to)
      .join('')
      .slice(0, longest * 2)
      .trim(),
  }
}

/** Where the stretch of `length` with the highest sum begins, the first one of equals. */
function bestStart(scores: readonly number[], length: number): number {
  let [best, bestSum] = [0, -1]
  for (let from = 0; from + length <= scores.length; from++) {
    const total = scores.slice(from, from + length).reduce((sum, score) => sum + score, 0)
    if (total > bestSum) [best, bestSum] = [from, total]
  }
  return best
}

export function plainOf(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return block.text
    case 'list':
      return block.items.map(({ text }) => text).join('\n')
    case 'table':
      return [block.header, ...block.rows].map((row) => row.join(' ')).join('\n')
    case 'code':
      return block.lines.join('\n')
  }
}

function lengthOf(block: Block | undefined): number {
  return block === undefined ? 0 : plainOf(block).length
}

/** Whether a paragraph introduces what follows. */
function leads(block: Block): boolean {
  return block.kind === 'paragraph' && /[:：]$/.test(block.text)
}

/** Whether a paragraph is only the name of a tab or a card. */
function isLabel(block: Block): boolean {
  return block.kind === 'paragraph' && block.text.length <= 40 && !/[.:!?。：！？]$/.test(block.text)
}
