import { outlineOf } from './page-outline.ts'

const longest = 160

/** A page's own first sentence as plain text, at most 160 characters; undefined when it starts with none. */
export function firstSentence(text: string, path: string): string | undefined {
  const outline = outlineOf(text, path)
  let paragraph: string[] = []
  let fence = false
  let inside = 0
  for (const line of [...outline.lines.slice(outline.bodyLine), '']) {
    const trimmed = line.trim()
    if (/^(?:```|~~~)/.test(trimmed)) {
      fence = !fence
      paragraph = []
      continue
    }
    if (fence) continue
    // Directives and components are asides, not the page's opening.
    if (/^:::+/.test(trimmed)) {
      inside = /^:::+\s*$/.test(trimmed) ? Math.max(0, inside - 1) : inside + 1
      continue
    }
    if (inside > 0) continue
    if (trimmed !== '' && !startsOther(line)) {
      paragraph.push(trimmed)
      continue
    }
    const found = sentenceOf(paragraph.join(' '))
    if (found !== undefined) return found
    paragraph = []
  }
  return undefined
}

function startsOther(line: string): boolean {
  return /^(?: {4}|\t)|^\s*(?:#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s|>|\||!\[|<|\{|!!!|\?\?\?|===|---|\*\*\*|\[[^\]]{1,300}\]:|\[\^|import\s|export\s|\[!\[|\[\[)/.test(
    line,
  )
}

function sentenceOf(paragraph: string): string | undefined {
  const plain = plainOf(paragraph.slice(0, 4000))
  if (!/\p{L}.*\s?\p{L}/u.test(plain) || plain.length < 12) return undefined
  if (plain.endsWith(':') && plain.length < 40) return undefined
  const end = sentenceEnd(plain)
  const sentence = plain.slice(0, end).replace(/:$/, '.').trim()
  if (sentence.length <= longest) return sentence
  const cut = sentence.slice(0, longest - 1)
  const space = cut.lastIndexOf(' ')
  return `${cut
    .slice(0, space > longest / 2 ? space : cut.length)
    .toWellFormed()
    .replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/, '')}…`
}

const abbreviation = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|no|fig|mr|mrs|dr|st)|\b\p{Lu})\.$/iu

function sentenceEnd(text: string): number {
  for (const found of text.matchAll(/[.!?](?=\s|$)|[。！？]/g)) {
    const end = found.index + 1
    if (found[0] === '.' && abbreviation.test(text.slice(Math.max(0, end - 8), end))) continue
    return end
  }
  return text.length
}

/** Inline markup taken off: what a search engine would show. */
function plainOf(source: string): string {
  return source
    .replace(/!\[([^\]\n]{0,300})\]\([^)\n]{0,1000}\)/g, '$1')
    .replace(/\[([^\]\n]{0,300})\]\([^)\n]{0,1000}\)/g, '$1')
    .replace(/\[([^\]\n]{1,300})\]\[[^\]\n]{0,300}\]/g, '$1')
    .replace(/<\/?[A-Za-z][^>\n]{0,500}>/g, '')
    .replace(/(?<!`)`+([^`\n]{1,300})`+/g, '$1')
    .replace(/(\*\*|__)(?=\S)([^\n*]{1,500}?)\1/g, '$2')
    .replace(/(?<![\w*])[*_](?=\S)([^\n*_]{1,500}?)[*_](?!\w)/g, '$1')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}
