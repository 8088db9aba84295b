import { withoutHidden } from '../../../lib/plain-text.ts'

/**
 * What a comment says itself: without lines that it quotes, without code in blocks and in lines, and without HTML
 * comments, which readers do not see. Linear in its length.
 */
export function ownText(markdown: string): string {
  // Code first: pages about HTML have comments in it that hide nothing.
  return withoutComments(withoutCodeSpans(withoutBlocks(markdown)))
}

/** A comment without what its readers did not see when they quoted another: HTML comments in quotes, unseen characters. */
export function seenText(markdown: string): string {
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
  let fence: { mark: string; size: number } | undefined
  let isOutside = true
  let hasList = false
  const own: string[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    const found = fenceOf(line)
    if (fence !== undefined) {
      if (found?.rest.trim() === '' && found.mark === fence.mark && found.size >= fence.size)
        fence = undefined
      continue
    }
    if (found && !(found.mark === '`' && found.rest.includes('`'))) {
      fence = found
      isOutside = true
    } else if (line.trim() === '') {
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

function fenceOf(line: string): { mark: string; size: number; rest: string } | undefined {
  // Inside of lists they stand further in.
  const start = line.trimStart()
  const mark = start.charAt(0)
  if (mark !== '`' && mark !== '~') return undefined
  let size = 0
  while (start.charAt(size) === mark) size++
  return size < 3 ? undefined : { mark, size, rest: start.slice(size) }
}

function isQuote(line: string): boolean {
  return line.trimStart().startsWith('>')
}

// A span ends at as many backticks as it began with; without such an end it is none.
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
