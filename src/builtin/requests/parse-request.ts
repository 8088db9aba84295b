import { parseAddRequest } from './add-forms.ts'
import { parseChangeRequest } from './change-forms.ts'
import { wordsOf } from './forms.ts'
import { mask, type Masked } from './mask.ts'
import type { Request } from './request.ts'
import { splitPrompt } from './split-prompt.ts'
import { atPage, namePage } from './at-page.ts'
import { readIgnoreRequest } from '../../lib/prompts/ignore-prompt.ts'
import { readReview, suggestionIn, type ReviewRemark } from '../../lib/prompts/review-prompt.ts'

const mostRequests = 50
/**
 * The most characters of a request's own words; a longer text was not written as a request (texts to add are not
 * counted).
 */
const longestHead = 600

/** The requests of a prompt in order. Text that is not understood is returned as `unknown`. */
export function parseRequests(prompt: string): Request[] {
  const entry = readIgnoreRequest(prompt)
  if (entry !== undefined) return [{ kind: 'ignore', entry }]
  const review = readReview(prompt.slice(0, 200_000))
  if (review === undefined) return parsePlain(prompt)
  const remarks = review.remarks.flatMap((remark) => parseRemark(remark))
  return [...remarks, ...(review.remark ? parsePlain(review.remark) : [])].slice(0, mostRequests)
}

function parseRemark({ path, side, line, quote, body }: ReviewRemark): Request[] {
  const text = side === 'new' && line > 0 ? suggestionIn(body) : undefined
  if (text !== undefined) return [{ kind: 'suggestion', path, line, quote, text }]
  const isUnknown = ({ kind }: Request): boolean => kind === 'unknown'
  const asSaid = parsePlain(body)
  const named = asSaid.some(isUnknown) ? parsePlain(namePage(body, path)) : asSaid
  const requests = named.some(isUnknown) ? asSaid : named
  return requests.map((request) => atPage(request, path, body))
}

function parsePlain(prompt: string): Request[] {
  const masked = mask(prompt.slice(0, 200_000))
  const known = new Map<string, Request | undefined>()
  const parse = (piece: string) => {
    if (!known.has(piece)) known.set(piece, parseRequest(piece, masked))
    return known.get(piece)
  }
  const understood = (piece: string) => parse(piece) !== undefined
  const pieces = splitPrompt(withoutRuns(masked.text), understood).slice(0, mostRequests)
  return pieces.map((piece) => parse(piece) ?? { kind: 'unknown', text: masked.restore(piece).trim() })
}

/**
 * Collapses long runs of blanks, which mean nothing and slow down expressions. Quotations and fences are masked and
 * stay unchanged.
 */
function withoutRuns(text: string): string {
  return text
    .replace(/[^\S\n]{24,}/g, ' ')
    .replace(/[^\S\n]{1,23}\n/g, '\n')
    .replace(/\n{4,}/g, '\n\n\n')
}

function parseRequest(piece: string, masked: Masked): Request | undefined {
  const opened = withoutOpening(piece)
  // The end of a text to add belongs to the text.
  const added = parseAddRequest(opened, masked)
  if (added) return added
  const head = withoutEnding(opened)
    .slice(0, 4 * longestHead)
    .replace(/\s+/g, ' ')
    .trim()
  if (head === '' || head.length > longestHead) return undefined
  return parseChangeRequest(wordsOf(leadScopeLast(head)), masked)
}

/** "In the quickstart page, replace …" names the place first. */
function leadScopeLast(head: string): string {
  const lead =
    /^((?:in|on|across|throughout|within|under|inside|for)\s+[^,:]{1,200}|everywhere)[,:]\s*(.+)$/i.exec(head)
  return lead?.[1] === undefined || lead[2] === undefined ? head : `${lead[2]} ${lead[1]}`
}

const courtesy =
  /^(?:(?:hi|hello|hey)(?: there)?[,!.]?\s+|(?:please|pls|plz),?\s+|kindly\s+|(?:can|could|would|will) (?:you|we)(?: please| kindly)?\s+|(?:i|we)(?:['’]d| would) like (?:you )?to\s+|(?:it would be|that would be) (?:nice|great|good) if you (?:could|can)\s+|i (?:want|need) you to\s+|i want to\s+|we (?:want|need|have) to\s+|we should\s+|you should\s+|let(?:'|’)?s\s+|go ahead and\s+|also,?\s+|then,?\s+|next,?\s+|finally,?\s+|first,?\s+|now,?\s+|and\s+|just\s+|help me (?:to )?|make sure to\s+|task:\s+|todo:\s+)/i

function withoutOpening(piece: string): string {
  let rest = piece.trim()
  for (let times = 0; times < 6; times++) {
    const shorter = rest.replace(courtesy, '')
    if (shorter === rest) break
    rest = shorter.trimStart()
  }
  return rest
}

const ending =
  /(?:,?\s+(?:please|thanks|thank you|for me|as well|too|(?<!\b(?:prose|words|code) )only))?[.!?]{0,3}(?:,?\s*(?:please|thanks|thank you))?[.!?]{0,3}$/i

function withoutEnding(text: string): string {
  const tail = text.slice(-60)
  return text.slice(0, text.length - tail.length) + tail.replace(ending, '').trimEnd()
}
