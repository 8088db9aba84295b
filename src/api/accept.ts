import { parseAccept } from 'hono/utils/accept'
import type { RequestContext } from './endpoint.ts'

/** How a header of a client weighs something: `q` from 0 to 1, and how exactly and as which entry it names it. */
interface Weight {
  q: number
  /** 2 with its name, 1 with a part of it (`text/*`), 0 with `*` or without a word. */
  exact: 0 | 1 | 2
  position: number
}

/**
 * The media type to answer with: what the client wants most, then what it names most exactly, then what it names first.
 * Nothing that it wants is no error: it gets the first. Answers that depend on this have `Vary: Accept`.
 */
export function preferredType<Type extends string>(
  context: RequestContext,
  offered: readonly [Type, ...Type[]],
): Type {
  const weights = offered.map((type) => ({ type, ...weigh(context, type) }))
  // The sort is stable: the order of the offer decides between equals.
  weights.sort((a, b) => b.q - a.q || b.exact - a.exact || a.position - b.position)
  return weights[0]?.type ?? offered[0]
}

/** Whether the client names a type, and wants it no less than another one. */
export function namesType(context: RequestContext, type: string, insteadOf: string): boolean {
  const named = weigh(context, type)
  return named.exact === 2 && named.q > 0 && named.q >= weigh(context, insteadOf).q
}

/** Whether an answer is for a person with a browser. */
export function wantsPage(context: RequestContext): boolean {
  return preferredType(context, ['application/json', 'text/html']) === 'text/html'
}

/** The compression to answer with: of those that the client takes, the first of what it wants most. */
export function preferredEncoding<Encoding extends string>(
  context: RequestContext,
  offered: readonly Encoding[],
): Encoding | 'identity' {
  const ranges = rangesOf(context, 'accept-encoding')
  const taken = offered
    .map((encoding) => {
      const range = ranges.find(({ name }) => name === encoding) ?? ranges.find(({ name }) => name === '*')
      return { encoding, q: range?.q ?? 0 }
    })
    .filter(({ q }) => q > 0)
    .sort((a, b) => b.q - a.q)
  return taken[0]?.encoding ?? 'identity'
}

/** Notes for caches that the answer depends on what the client accepts. */
export function varied(response: Response): Response {
  response.headers.append('Vary', 'Accept')
  return response
}

function weigh(context: RequestContext, type: string): Weight {
  const ranges = rangesOf(context, 'accept')
  if (ranges.length === 0) return { q: 1, exact: 0, position: 0 }
  const names = ['*/*', `${type.split('/', 1)[0]}/*`, type]
  for (const exact of [2, 1, 0] as const) {
    const position = ranges.findIndex(({ name }) => name === names[exact])
    const range = ranges[position]
    if (range && range.q > 0) return { q: range.q, exact, position }
    if (range) break
  }
  return { q: 0, exact: 0, position: ranges.length }
}

// The parser sorts by weight and keeps the order of the header among equals.
function rangesOf(context: RequestContext, header: string): { name: string; q: number }[] {
  return parseAccept((context.req.header(header) ?? '').slice(0, 2000)).map(({ type, q }) => ({
    name: type.toLowerCase(),
    q,
  }))
}
