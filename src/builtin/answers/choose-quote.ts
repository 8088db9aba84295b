import { termsOf } from '../../lib/prompts/question-terms.ts'
import type { Block } from './read-blocks.ts'

/** Blocks of a section that stand one after the other. */
export interface Quote {
  blocks: Block[]
  /** How well they answer. */
  score: number
}

/** What a question asks for, by the words with which it is asked. */
const steps =
  /\b(?:how|can (?:i|we)|install\w*|set ?up|configur\w*|creat\w*|enabl\w*|disabl\w*|run|start(?:ed|ing)?|steps?|deploy\w*|use|add|command|example|connect|wie|comment|cómo|como|como|instalar|installieren)\b|как|如何|怎么|怎样|安装|配置|使用|步骤|方法|どうやって|するには|어떻게/iu
const definition =
  /^\W*(?:what(?:'s|’s| is| are)|what does .{1,100} (?:do|mean)\b|define|explain|was (?:ist|sind)|qu[’']est-ce|qué (?:es|son)|o que é|что такое)\b|什么是|是什么|とは|이란|무엇/iu
const value =
  /\b(?:default|defaults|how (?:many|much|long|big|large|often)|maximum|minimum|limit|limits|which|value|values|option|type|port|price)\b|默认|多少|几|デフォルト|기본/iu

/** Characters: a section up to the first is quoted as a whole, a quote up to the second goes on to the third. */
const mostWhole = 1500
const enough = 250
const mostGrown = 600
const enoughSteps = 700
const mostGrownSteps = 1000
const longestParagraph = 500
const longestQuote = 1500
const mostRows = 4
const mostRowsOfAll = 8
const mostItems = 8
const mostSteps = 14
const mostCodeLines = 30
const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/**
 * The part of a section that answers best, in one piece: a paragraph, steps, code or a list with the sentence that
 * introduces it, or the rows of a table that match.
 * @param shareOf the share of the question that a set of terms holds
 * @param fromBeginning whether the section is asked for as a whole: its words do not tell what of it answers
 */
export function chooseQuote(
  blocks: readonly Block[],
  question: string,
  heading: ReadonlySet<string>,
  shareOf: (terms: ReadonlySet<string>) => number,
  fromBeginning = false,
): Quote | undefined {
  const risky = asksToRemove.test(question) ? () => false : isRisky
  const wants = {
    steps: asksForSteps(question),
    definition: asksForDefinition(question),
    value: value.test(question),
  }
  const groups = groupsOf(blocks.map((block) => shorten(block, shareOf)))
  const firstWay = groups.findIndex((group) => group.some(isWay))
  const scores = groups.map((group, at) => {
    const terms = new Set(group.flatMap((block) => termsOf(plainOf(block))))
    const own = shareOf(terms)
    const withHeading = shareOf(new Set([...terms, ...heading]))
    // Below a heading, a text need not repeat its words.
    let score = own > 0 ? own + 0.4 * (withHeading - own) : 0.2 * withHeading
    if (wants.steps && group.some(isWay)) score += at === firstWay ? 0.35 : 0.15
    if (wants.definition && at === 0) score += 0.15
    if (wants.value && group.some((block) => block.kind === 'table')) score += 0.15
    if (wants.value && /\d|`/.test(textOf(group))) score += 0.05
    if (group.every((block) => isLabel(block) || leads(block) || isImport(block))) score *= 0.4
    if (group.some(isDefinition) && wants.definition) score += 0.3
    if (group.some(risky)) score *= 0.3
    return score - 0.03 * Math.min(at, 8)
  })
  const best = fromBeginning ? beginningOf(groups, wants.steps) : scores.indexOf(Math.max(...scores))
  if (best < 0 || groups.length === 0) return undefined
  const isShort = textOf(blocks).length <= mostWhole
  // Of a long table, the rows that match are enough.
  const whole = blocks.map((block) =>
    block.kind === 'table' && block.rows.length > mostRowsOfAll ? shorten(block, shareOf) : block,
  )
  const chosen = isShort ? whole : around(groups, best, wants.steps)
  const safe = chosen.filter((block) => !risky(block))
  const kept = withoutLoose(safe)
  // A section that is nothing but a label is quoted as it is; what only introduces something says nothing.
  const quoted = kept.length > 0 || safe.some(leads) ? kept : safe
  // Steps of which one is left out are no answer while there is another section.
  const score = (scores[best] ?? 0) * (safe.length < chosen.length ? 0.3 : 1)
  return quoted.length === 0 ? undefined : { blocks: quoted, score: Math.max(0, score) }
}

/** Where to begin a section: at its first way, where one is asked for and much stands before it. */
function beginningOf(groups: readonly Block[][], steps: boolean): number {
  const first = groups.findIndex((group) => group.some(isWay))
  return steps && textOf(groups.slice(0, first).flat()).length > enoughSteps ? first : 0
}

/** Whether a question asks how something is done. */
export function asksForSteps(question: string): boolean {
  return steps.test(question) && !asksForDefinition(question) && !value.test(question)
}

export function asksForDefinition(question: string): boolean {
  return definition.test(question.slice(0, 300))
}

/** Blocks that belong together: what a sentence introduces is shown with it, and steps with the code between them. */
function groupsOf(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = []
  for (const block of blocks) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    const from = firstStep(groups, block)
    if (from >= 0) groups.push([...groups.splice(from).flat(), block])
    else if (last && group && belongs(block, last)) group.push(block)
    else groups.push([block])
  }
  return groups
}

function belongs(block: Block, last: Block): boolean {
  if (leads(last) || isLabel(last)) return true
  if (block.kind === 'paragraph') return false
  if (last.kind === 'paragraph') return last.text.length <= 300
  return block.kind === 'code' && isNumbered(last)
}

/** The group with the step before the ones of a list; -1 for a list that begins, and for other blocks. */
function firstStep(groups: readonly Block[][], block: Block): number {
  const first = numbersOf(block)[0] ?? 0
  if (first <= 1) return -1
  const from = groups.findLastIndex((group) => group.some((one) => numbersOf(one).at(-1) === first - 1))
  return from < groups.length - 6 ? -1 : from
}

function numbersOf(block: Block): number[] {
  if (block.kind !== 'list') return []
  return block.items.map(({ marker }) => Number.parseInt(marker, 10)).filter((number) => number >= 0)
}

/** A group with what it refers to before and, while it is short, what follows. */
function around(groups: readonly Block[][], best: number, steps: boolean): Block[] {
  let quoted = groups[best] ?? []
  const before = groups[best - 1] ?? []
  if (/^(?:this|that|these|those|it|they|however|also|then|otherwise|instead)\b/i.test(textOf(quoted)))
    if (textOf(before).length + textOf(quoted).length <= longestQuote / 2) quoted = [...before, ...quoted]
  for (const next of groups.slice(best + 1)) {
    // Steps are often told in paragraphs.
    const [least, most] = steps && !quoted.some(isWay) ? [enoughSteps, mostGrownSteps] : [enough, mostGrown]
    const isShort = textOf(quoted).length < least && textOf(quoted).length + textOf(next).length <= most
    const shows = steps && !quoted.some(isWay) && next.some(isWay)
    if (!isShort && !shows) break
    quoted = [...quoted, ...next]
  }
  while (quoted.length > 1 && textOf(quoted).length > longestQuote) quoted = quoted.slice(0, -1)
  return quoted
}

/**
 * What stands for itself: a sentence that introduces what is not shown, the name of a tab and the text of an image say
 * nothing.
 */
function withoutLoose(blocks: readonly Block[]): Block[] {
  const kept: Block[] = []
  for (const block of blocks.toReversed()) {
    const [next] = kept
    if (leads(block) && (next === undefined || leads(next))) continue
    if (isLoose(block) && !opens(next)) continue
    kept.unshift(block)
  }
  return kept
}

/** Whether a block can be what a label names: code, a table, or a list from its beginning on. */
function opens(block: Block | undefined): boolean {
  if (block === undefined || block.kind === 'paragraph') return false
  return block.kind !== 'list' || (numbersOf(block)[0] ?? 1) <= 1
}

/** A long block is cut to the part that answers, which stays in one piece. */
function shorten(block: Block, shareOf: (terms: ReadonlySet<string>) => number): Block {
  const shares = (parts: readonly string[]) => parts.map((part) => shareOf(new Set(termsOf(part))))
  switch (block.kind) {
    case 'code': {
      if (block.lines.length <= mostCodeLines || plainOf(block).length <= longestQuote) return block
      return { ...block, lines: [...block.lines.slice(0, mostCodeLines - 5), '…'] }
    }
    case 'table': {
      if (block.rows.length <= mostRows) return block
      const scores = shares(block.rows.map((row) => row.join(' ')))
      const top = Math.max(...scores)
      if (top === 0) return { ...block, rows: block.rows.slice(0, mostRowsOfAll) }
      const rows = block.rows.filter((_, at) => (scores[at] ?? 0) >= top * 0.8)
      return { ...block, rows: rows.slice(0, mostRows) }
    }
    case 'list': {
      const most = isNumbered(block) ? mostSteps : mostItems
      if (block.items.length <= most) return block
      const from = isNumbered(block) ? 0 : bestStart(shares(block.items.map(({ text }) => text)), most)
      return { ...block, items: block.items.slice(from, from + most) }
    }
    case 'paragraph': {
      if (block.text.length <= longestParagraph) return block
      const sentences = [...segmenter.segment(block.text)].map(({ segment }) => segment)
      const scores = shares(sentences)
      const best = scores.indexOf(Math.max(...scores))
      let text = `${sentences[best - 1] ?? ''}${sentences[best] ?? ''}`
      if (text.length > longestParagraph) text = sentences[best] ?? ''
      for (const next of sentences.slice(best + 1)) {
        if (text.length + next.length > longestParagraph) break
        text += next
      }
      return { ...block, text: text.slice(0, 2 * longestParagraph).trim() }
    }
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

function textOf(group: readonly Block[]): string {
  return group.map(plainOf).join('\n')
}

/** Whether a block shows how something is done. */
export function isWay(block: Block): boolean {
  return block.kind === 'code' ? !isImport(block) : isNumbered(block)
}

function isNumbered(block: Block): boolean {
  return numbersOf(block).length > 0
}

/** Whether code only imports what other code uses. */
function isImport(block: Block): boolean {
  if (block.kind !== 'code') return false
  const lines = block.lines.filter((line) => line.trim() !== '')
  return /^\s*import\b/.test(lines[0] ?? '') && /^\s*(?:import\b|\}\s*from\b)/.test(lines.at(-1) ?? '')
}

export const asksToRemove =
  /\b(?:delet|remov|drop|reset|destroy|purg|prun|wip|truncat|uninstal|clean|clear|eras|kill|undo|revert|forc|discard|updat|upgrad|migrat|rotat|lösch|entfern|supprim|elimin|borra|apaga|удал)|\brm\b|удал|сброс|删除|重置|卸载|削除|삭제/iu
const removal =
  /\brm\b|\bdrop\s+(?:table|database|schema|index|user|role)\b|\bdelete\s+from\b|\b(?:delete|destroy|purge|prune|wipe|truncate|reset|uninstall)\b(?![(=:.'"])/i
/** The end of a command that clears up after itself. */
const ownFile = /&& rm (?:-f )?[\w./-]{1,200}$/
const command =
  /^(?:|sh|bash|shell|zsh|fish|console|shell-session|shellsession|terminal|powershell|ps1|cmd|bat|sql|psql)$/i

/** Whether code takes something away, which nobody should run who has not asked for it. */
function isRisky(block: Block): boolean {
  return (
    block.kind === 'code' &&
    command.test(block.language) &&
    block.lines.some((line) => removal.test(line.replace(ownFile, '')))
  )
}

/** Whether a paragraph says what something is. */
function isDefinition(block: Block): boolean {
  return block.kind === 'paragraph' && /^(?:\S+ ){1,4}(?:is|are) (?:an?|the|your) /u.test(block.text)
}

/** Whether a paragraph introduces what follows. */
function leads(block: Block): boolean {
  return block.kind === 'paragraph' && /[:：]$/.test(block.text)
}

/** Whether a paragraph is no sentence: the name of a tab, the text of an image. */
function isLoose(block: Block): boolean {
  return block.kind === 'paragraph' && block.text.length <= 90 && /[\p{L}\p{N}]$/u.test(block.text)
}

/** Whether a paragraph is only the name of a tab or a card. */
function isLabel(block: Block): boolean {
  return block.kind === 'paragraph' && block.text.length <= 40 && !/[.:!?。：！？]$/.test(block.text)
}
