import type { TurnRow } from '../turns.ts'

/** Characters of all lines together, and of one text in them. */
const mostTotal = 16_000
const mostOfText = 300
const listed = 100

/**
 * What the earlier turns of a job did, one line of JSON for each: pages with reasons and sources, why a turn failed and
 * which files were refused. Where all of it is too long the oldest turns are shortened first.
 */
export function earlierWork(earlier: readonly TurnRow[]): string[] {
  const turns = earlier.filter(({ publication, failure }) => publication !== null || failure !== null)
  const lines = turns.map((turn) => JSON.stringify(describe(turn, 'full')))
  let total = lines.reduce((sum, { length }) => sum + length, 0)
  for (const detail of ['paths', 'least'] as const) {
    for (const [index, turn] of turns.entries()) {
      if (total <= mostTotal) return lines
      const line = JSON.stringify(describe(turn, detail))
      total += line.length - (lines[index] ?? '').length
      lines[index] = line
    }
  }
  // Hundreds of turns: the newest are the ones that count.
  while (total > mostTotal) total -= lines.shift()?.length ?? total
  return lines
}

function describe(turn: TurnRow, detail: 'full' | 'paths' | 'least'): Record<string, unknown> {
  const { n, status, publication, failure } = turn
  const pages = (status === 'completed' ? publication?.pages : undefined) ?? []
  const refused = [
    ...(failure?.files ?? []),
    ...(publication?.checks.filter(({ check }) => check === 'policy') ?? []),
  ]
  if (detail === 'least') return { turn: n, ...(failure && { failed: failure.code }), pages: pages.length }
  return {
    turn: n,
    ...(failure && { failed: failure.code, why: cut(failure.message) }),
    ...(pages.length > 0 && {
      pages: pages
        .slice(0, listed)
        .map(({ path, reason, sources }) =>
          detail === 'paths' || reason === '' ? path : { path, reason: cut(reason), sources },
        ),
      ...(pages.length > listed && { morePages: pages.length - listed }),
    }),
    ...(refused.length > 0 && {
      refused: refused
        .slice(0, listed)
        .map(({ path, message }) => (detail === 'paths' ? path : { path, why: cut(message) })),
    }),
  }
}

function cut(text: string): string {
  return text.length <= mostOfText ? text : `${text.slice(0, mostOfText - 1).toWellFormed()}…`
}
