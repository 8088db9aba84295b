import { readIgnoreRequest } from '../../lib/prompts/ignore-prompt.ts'
import { readReview, suggestionIn, type ReviewRemark } from '../../lib/prompts/review-prompt.ts'
import { readRequest } from './grammar.ts'
import { isQuotation, mask, type Masked } from './mask.ts'
import type { Request } from './request.ts'

const mostRequests = 50
const longestPrompt = 200_000

/** The requests of a prompt in order. Text that is not understood is returned as `unknown`. */
export function parseRequests(prompt: string): Request[] {
  const entry = readIgnoreRequest(prompt)
  if (entry !== undefined) return [{ kind: 'ignore', entry }]
  const review = readReview(prompt.slice(0, longestPrompt))
  if (review === undefined) return parsePlain(prompt)
  const remarks = review.remarks.flatMap((remark) => parseRemark(remark))
  return [...remarks, ...(review.remark ? parsePlain(review.remark) : [])].slice(0, mostRequests)
}

/** A comment on a line: where it names no other place, it is about that page. */
function parseRemark({ path, side, line, quote, body }: ReviewRemark): Request[] {
  const text = side === 'new' && line > 0 ? suggestionIn(body) : undefined
  if (text !== undefined) return [{ kind: 'suggestion', path, line, quote, text }]
  const named = body.replaceAll(/\bthis page\b/gi, () => `the page "${path}"`)
  return parsePlain(named).map((request): Request => {
    if (request.kind === 'unknown') return { ...request, text: `${path}: ${body}` }
    const isHere = 'scope' in request && request.scope.kind === 'everywhere' && !/\beverywhere\b/i.test(body)
    return isHere ? { ...request, scope: { kind: 'page', named: path } } : request
  })
}

function parsePlain(prompt: string): Request[] {
  const masked = mask(prompt.slice(0, longestPrompt))
  const requests: Request[] = []
  for (const piece of piecesOf(masked).slice(0, mostRequests)) {
    const read = readPiece(piece, masked) ?? [{ kind: 'unknown', text: masked.restore(piece).trim() }]
    const [last, first] = [requests.at(-1), read[0]]
    // Lines that are not understood are one text.
    if (last?.kind === 'unknown' && first?.kind === 'unknown') last.text += `\n${first.text}`
    else requests.push(...read)
  }
  return requests.length > 0 ? requests.slice(0, mostRequests) : [{ kind: 'unknown', text: prompt.trim() }]
}

const bullet = /^([ \t]*)(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/
const leadIn = /^do (?:the following|this|these)[^\n:]{0,20}:$/i

/** Lines and list items, each with the lines of its text. */
function piecesOf(masked: Masked): string[] {
  const pieces: { lines: string[]; indent: number | undefined; takes: 'nothing' | 'text' | 'all' }[] = []
  for (const line of masked.text.split('\n')) {
    const item = bullet.exec(line)
    const indent = item?.[1]?.length
    const own = (item ? line.slice(item[0].length) : line).replace(/^\s*please,? /i, '')
    const last = pieces.at(-1)
    const isNext = indent !== undefined && last?.indent !== undefined && indent <= last.indent
    const isRequest = last?.takes === 'text' && !item && readPiece(own, masked) !== undefined
    if (last !== undefined && last.takes !== 'nothing' && !isNext && !isRequest) last.lines.push(line)
    else if (own.trim() !== '' && !leadIn.test(own.trim()))
      pieces.push({ lines: [own], indent, takes: takesOf(own, masked) })
  }
  return pieces.map(({ lines }) => lines.join('\n').trim())
}

/** Which lines below a line belong to it: a text that began on it goes on, and what ends with a colon introduces them. */
function takesOf(line: string, masked: Masked): 'nothing' | 'text' | 'all' {
  const { content } = splitText(line)
  if (/:\s*$/.test(line)) return 'all'
  return content === '' || isQuotation(content) || readPiece(line, masked) === undefined ? 'nothing' : 'text'
}

/** A request, or several that are joined: all of them have to be understood. */
function readPiece(piece: string, masked: Masked): Request[] | undefined {
  const { content } = splitText(piece)
  const isText = content !== '' && !/^\p{Co}/u.test(content)
  const joined = isText ? [] : jointsOf(piece).map((part) => readOne(part, masked))
  if (joined.length > 1 && joined.every((one) => one !== undefined)) return joined
  // A text without quotes in which another request stands may end before that.
  const later = isText ? jointsOf(content).slice(1) : []
  if (later.some((part) => readOne(part, masked) !== undefined)) return undefined
  const one = readOne(piece, masked)
  return one && [one]
}

const joint =
  /(?:[.;,]\s+|\s+)(?:and\s+)?(?:then\s+|also\s+)?(?:please\s+)?(?=(?:replace|change|use|update|bump|fix|move|rename|set|delete|remove|add)\b)/giu

function jointsOf(piece: string): string[] {
  return piece.slice(0, 4000).split(joint).slice(0, mostRequests)
}

function readOne(piece: string, masked: Masked): Request | undefined {
  const { head, content } = splitText(piece)
  return readRequest(head, textOf(content, masked), masked)
}

/** Splits a request from the text that it adds: `Add a note to the quickstart page: …`, or `… with "…"`. */
function splitText(piece: string): { head: string; content: string } {
  const start = piece.slice(0, 1000)
  const [whole, head = ''] =
    /^(add an? [^:\n]*?)(?:(?: with(?: the text)?)?:(?=\s|$)| with(?: the text)? (?=\p{Co}[.!]?$))/iu.exec(
      start,
    ) ?? []
  if (whole === undefined) return { head: piece, content: '' }
  return { head, content: piece.slice(whole.length).trim() }
}

/** The given text without the quotes or the Markdown fence around all of it. */
function textOf(content: string, masked: Masked): string {
  const alone = content.trim().replace(/^(\p{Co})[.]$/u, '$1')
  const raw = masked.restore(alone)
  const isCode = raw.startsWith('`') && !/^```(?:md|mdx|markdown|text|txt)?\s*\n/i.test(raw)
  return withoutIndent(isCode ? raw : masked.valueOf(alone))
}

/** Text below a list item is indented as a whole, but its first line may follow the colon. */
function withoutIndent(text: string): string {
  const [first = '', ...others] = text.split('\n').map((line) => line.trimEnd())
  const indents = others.filter((line) => line !== '').map((line) => line.length - line.trimStart().length)
  const common =
    indents.length === 0 || /^(?:[-*+]|\d{1,9}[.)])\s|:$/.test(first) ? 0 : Math.min(...indents, 12)
  return [first, ...others.map((line) => line.slice(common))].join('\n').trim()
}
