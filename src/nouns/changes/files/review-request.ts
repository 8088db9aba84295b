import { getCookie, setCookie } from 'hono/cookie'
import { readWholeNumber } from '../../../lib/whole-number.ts'
import type { RequestContext } from '../../../api/endpoint.ts'
import { readShown } from '../../../api/frame/html/shown.ts'

export type ReviewView = 'rendered' | 'source'
export type LineView = 'unified' | 'split'

/** How a reader wants to see a change. */
export interface ReviewRequest {
  view: ReviewView
  lines: LineView
  /** The file that is asked for: it is opened, from a row on. */
  file: string | undefined
  from: number
  /** How many rows of it; the usual step when not given. */
  count: number | undefined
  /** Unchanged parts of this file are shown too. */
  whole: boolean
  /** How this file is shown, where it differs from the others. */
  as: ReviewView | undefined
  /** Only the file is sent, for the script that puts it into the page. */
  alone: boolean
  /** What the browser shows already, by name, where it asks for the page once more. It is not sent again. */
  shown: ReadonlySet<string> | undefined
  /** What the page itself needs in each address, such as the token of a link. */
  keep: Readonly<Record<string, string>>
}

const cookie = 'docwright_review'
const mostRows = 1000
const year = 365 * 24 * 3600

/** Reads the query, and remembers the reader's choice for other pages. */
export function readReviewRequest(context: RequestContext): ReviewRequest {
  const [knownView, knownLines] = (getCookie(context, cookie) ?? '').split('.')
  const query = (name: string): string | undefined => context.req.query(name)
  const view = viewOf(query('view')) ?? viewOf(knownView) ?? 'rendered'
  const lines = linesOf(query('lines')) ?? linesOf(knownLines) ?? 'unified'
  if (view !== knownView || lines !== knownLines)
    setCookie(context, cookie, `${view}.${lines}`, {
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
      maxAge: year,
    })
  const token = query('token')
  const number = (name: string): number => readWholeNumber(query(name), 9_999_999) ?? 0
  return {
    view,
    lines,
    file: query('file'),
    from: number('from'),
    count: Math.min(mostRows, number('count')) || undefined,
    whole: query('whole') !== undefined,
    as: viewOf(query('as')),
    alone: query('alone') !== undefined,
    shown: readShown(context),
    keep: token === undefined ? {} : { token },
  }
}

function viewOf(text: string | undefined): ReviewView | undefined {
  return text === 'rendered' || text === 'source' ? text : undefined
}

function linesOf(text: string | undefined): LineView | undefined {
  return text === 'unified' || text === 'split' ? text : undefined
}

/** An address of the page with another choice. */
export function reviewAddress(
  page: string,
  { keep }: ReviewRequest,
  query: Readonly<Record<string, string>>,
  fragment = '',
): string {
  const search = new URLSearchParams({ ...keep, ...query }).toString()
  return `${page}${search === '' ? '' : `?${search}`}${fragment === '' ? '' : `#${fragment}`}`
}
