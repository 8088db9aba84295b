import { withoutHidden } from '../../../lib/text/plain-text.ts'
import { createFences } from '../../../site/markdown/fence.ts'
import { readLine } from '../../../site/markdown/line.ts'

const longest = 100_000

/**
 * The request in a comment: its text, when it mentions one of `names` after an `@`. Mentions in quotations, code
 * and hidden text do not count.
 */
export function readMention(body: string, names: readonly string[]): string | undefined {
  const text = body.slice(0, longest).trim()
  const own = ownText(text).toLowerCase()
  const called = names.filter((name) => isNamed(own, `@${name.toLowerCase()}`))
  if (called.length === 0) return undefined
  const start = text.toLowerCase()
  const first = called
    .filter((name) => start.startsWith(`@${name.toLowerCase()}`))
    .toSorted((one, other) => other.length - one.length)[0]
  const rest = first === undefined ? text : text.slice(first.length + 1).replace(/^[\s,:]+/, '')
  const prompt = seenText(rest).trim()
  return prompt === '' ? undefined : prompt
}

// A mention must not be part of an address, a path or a longer name.
function isNamed(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const before = text.charAt(at - 1)
    const after = text.slice(at + name.length, at + name.length + 2)
    if (!/[\w.@/`-]/.test(before) && !/^(?:[\w/-]|\.\w)/.test(after)) return true
  }
  return false
}

/**
 * The comment's own text: without quoted lines, code blocks, code spans and HTML comments, which readers do not
 * see. Takes linear time.
 */
function ownText(markdown: string): string {
  // Code is removed first: HTML comments inside of code hide nothing.
  return withoutComments(withoutCodeSpans(withoutBlocks(markdown)))
}

/**
 * The comment without what its author could not see when quoting: HTML comments in quotations, and invisible
 * characters.
 */
function seenText(markdown: string): string {
  let isHidden = false
  return withoutHidden(markdown)
    .split('\n')
    .map((line) => {
      if (!isQuote(line)) {
        isHidden = false
        return line
      }
      const own = withoutComments(isHidden ? `<!-- ${line}` : line).trim()
      isHidden = line.lastIndexOf('<!--') > line.lastIndexOf('-->') || (isHidden && !line.includes('-->'))
      return own.startsWith('>') ? own : `> ${own}`
    })
    .join('\n')
}

function withoutComments(text: string): string {
  let own = ''
  for (let at = 0; ;) {
    const start = text.indexOf('<!--', at)
    if (start === -1) return own + text.slice(at)
    own += `${text.slice(at, start)} `
    const end = text.indexOf('-->', start)
    if (end === -1) return own
    at = end + 3
  }
}

function withoutBlocks(text: string): string {
  const fences = createFences()
  let isOutside = true
  let hasList = false
  const own: string[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (fences.holds(readLine(line))) isOutside = true
    else if (line.trim() === '') {
      own.push('')
      isOutside = true
    } else if (!isQuote(line) && !(isOutside && !hasList && /^(?: {4}| {0,3}\t)/.test(line))) {
      own.push(line)
      hasList ||= /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/.test(line)
      isOutside = false
    }
  }
  return own.join('\n')
}

function isQuote(line: string): boolean {
  return line.trimStart().startsWith('>')
}

// A code span ends with as many backticks as it began with; without such an end it is not code.
function withoutCodeSpans(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map((run) => ({ at: run.index, size: run[0].length }))
  const last = new Map<number, number>()
  runs.forEach(({ size }, index) => last.set(size, index))
  let own = ''
  let from = 0
  for (let index = 0; index < runs.length; index++) {
    const open = runs[index]
    if (!open || (last.get(open.size) ?? -1) <= index) continue
    let end = index + 1
    while (runs[end]?.size !== open.size) end++
    own += `${text.slice(from, open.at)} `
    from = (runs[end]?.at ?? 0) + open.size
    index = end
  }
  return own + text.slice(from)
}
