import type { SearchResult } from './search-results.ts'
import { isUnspaced } from '../../lib/question-terms.ts'
import { rankPassages, type Passage } from './rank-passages.ts'
import { linkTo, safeText } from './safe-text.ts'
import type { Block } from './split-text.ts'

/** The share of the question's terms, by weight, that a section must contain to be an answer. */
const leastCoverage = 0.55
/** The same for scripts without spaces, where pairs of characters match less often than words. */
const leastUnspacedCoverage = 0.4
const mostPassages = 4
const mostCodeLines = 20

const howTo =
  /\b(?:how|install|set ?up|configur\w*|creat\w*|enabl\w*|disabl\w*|run|start|steps?|deploy\w*|use|add|command|example|connect)\b|如何|怎么|怎样|安装|配置|使用|步骤/i

/** The best passages with their links, or a sentence that the documentation has no answer. */
export function composeAnswer(question: string, context: string, results: readonly SearchResult[]): string {
  const unspaced = isUnspaced(question)
  const passages = rankPassages(question, context, distinct(results))
  const [best] = passages
  const least = unspaced ? leastUnspacedCoverage : leastCoverage
  if (!best || best.coverage < least || Math.max(0, ...best.scores) === 0) return unanswered(unspaced)
  const practical = howTo.test(question)
  const chosen = passages.filter((passage) => passage.coverage >= least && passage.score >= best.score * 0.72)
  const used = new Set<string>()
  const parts: string[] = []
  const sources = new Set<string>()
  for (const passage of chosen) {
    if (sources.size >= mostPassages) break
    const body = render(passage, { practical, first: parts.length === 0, used })
    const link = linkTo(passage.result)
    if (body === '' || sources.has(link)) continue
    sources.add(link)
    parts.push(body.includes('\n') ? `${body}\n\n${link}` : `${body} ${link}`)
  }
  if (parts.length === 0) return unanswered(unspaced)
  const lead = unspaced ? '文档中的说明如下：' : 'Here is what the documentation says:'
  return [lead, ...parts].join('\n\n')
}

function unanswered(unspaced: boolean): string {
  if (unspaced) return '文档中没有这个问题的答案。'
  return 'The documentation does not answer this question. Asking in other words may find more.'
}

function distinct(results: readonly SearchResult[]): SearchResult[] {
  const seen = new Set<string>()
  return results.filter((result) => {
    const key = `${result.url}\n${result.content}`
    if (seen.has(key) || result.content.trim() === '') return false
    seen.add(key)
    return true
  })
}

interface Rendering {
  practical: boolean
  first: boolean
  /** Sentences that the answer already contains. */
  used: Set<string>
}

/** The best sentences of a section, with the list of steps or short code block that belongs to them. */
function render(passage: Passage, { practical, first, used }: Rendering): string {
  const { blocks, scores } = passage
  const keep = new Set<number>()
  const sentences = indexesOf(blocks, 'sentence').filter((index) => !used.has(textOf(blocks[index])))
  const ranked = [...sentences].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
  const top = Math.max(0, ...scores)
  const wanted = first ? 3 : 2
  for (const index of ranked.slice(0, wanted)) {
    const score = scores[index] ?? 0
    if (score > 0 && score >= top * 0.5) keep.add(index)
  }
  // If only the heading matches, the beginning of the section is shown.
  if (keep.size === 0 && sentences[0] !== undefined) keep.add(sentences[0])
  const [head] = ranked
  if (first && keep.size === 1 && head !== undefined && keep.has(head)) {
    const next = blocks[head + 1]
    const own = blocks[head]
    if (own?.kind === 'sentence' && next?.kind === 'sentence' && next.paragraph === own.paragraph)
      keep.add(head + 1)
  }
  const lists = indexesOf(blocks, 'list')
  const list =
    lists.find((index) => keep.has(index - 1) && textOf(blocks[index - 1]).endsWith(':')) ??
    lists.find((index) => isUseful(blocks, index) && (scores[index] ?? 0) >= top * 0.6 && top > 0) ??
    (practical && first ? lists.find((index) => isOrdered(blocks[index])) : undefined)
  if (list !== undefined) {
    keep.add(list)
    if (textOf(blocks[list - 1]).endsWith(':')) keep.add(list - 1)
  }
  if (practical && first) {
    const code = codeFor(blocks, scores, keep)
    if (code !== undefined) keep.add(code)
  }
  finishLeads(blocks, keep)
  const text = write(
    blocks,
    [...keep].sort((a, b) => a - b),
  )
  for (const index of keep) used.add(textOf(blocks[index]))
  return text
}

/** A sentence that introduces a block is kept together with that block, or dropped. */
function finishLeads(blocks: readonly Block[], keep: Set<number>): void {
  for (const index of keep) {
    const block = blocks[index]
    if (block?.kind !== 'sentence' || !/[:：]$/.test(block.text)) continue
    const next = blocks[index + 1]
    if (next?.kind === 'list' || (next?.kind === 'code' && next.lines <= mostCodeLines)) keep.add(index + 1)
    else if (keep.size > 1 && !keep.has(index + 1)) keep.delete(index)
  }
}

/** The code block right after the kept sentences, otherwise the one with the best score. */
function codeFor(
  blocks: readonly Block[],
  scores: readonly number[],
  keep: ReadonlySet<number>,
): number | undefined {
  const short = indexesOf(blocks, 'code').filter((index) => {
    const block = blocks[index]
    return block?.kind === 'code' && block.lines > 0 && block.lines <= mostCodeLines
  })
  const behind = short.find((index) => keep.has(index - 1))
  if (behind !== undefined) return behind
  return [...short].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)[0]
}

function write(blocks: readonly Block[], indexes: readonly number[]): string {
  const parts: string[] = []
  let before: Block | undefined
  for (const index of indexes) {
    const block = blocks[index]
    if (!block) continue
    if (block.kind === 'code') parts.push(block.text)
    else if (block.kind === 'list') parts.push(writeList(block))
    else {
      const text = safeText(
        block.text.replace(/^\s*\|\s*|(?:(?<!\s)\s+)?\|\s*$/g, '').replace(/(?<!\s)\s+\|\s+/g, ' – '),
      )
      const joins = before?.kind === 'sentence' && parts.length > 0 && !/[:：]$/.test(before.text)
      if (joins)
        parts.push(
          `${parts.pop()}${/[。！？]$/.test(before?.kind === 'sentence' ? before.text : '') ? '' : ' '}${text}`,
        )
      else parts.push(text)
    }
    before = block
  }
  return parts.join('\n\n')
}

const mostItems = 12

function writeList(block: Extract<Block, { kind: 'list' }>): string {
  const items = block.items.slice(0, mostItems)
  return items.map((item, index) => `${block.ordered ? `${index + 1}.` : '-'} ${safeText(item)}`).join('\n')
}

function indexesOf(blocks: readonly Block[], kind: Block['kind']): number[] {
  return blocks.flatMap((block, index) => (block.kind === kind ? [index] : []))
}

/** A single list item says too little without the sentence that introduces it. */
function isUseful(blocks: readonly Block[], index: number): boolean {
  const block = blocks[index]
  return block?.kind === 'list' && (block.items.length > 1 || /[:：]$/.test(textOf(blocks[index - 1])))
}

function isOrdered(block: Block | undefined): boolean {
  return block?.kind === 'list' && block.ordered
}

function textOf(block: Block | undefined): string {
  if (!block) return ''
  return block.kind === 'list' ? block.items.join('\n') : block.text
}
