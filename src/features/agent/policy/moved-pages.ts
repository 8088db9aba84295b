import { readText } from '../../../site/text/encoding.ts'
import type { FileDifference } from '../workspace/workspace.ts'
import { pageEnding } from '../../../site/text/markup.ts'

const mostMoves = 200

/**
 * Writes the new names of pages that a diff moves in the place of their old ones, in a text of settings. Settings of
 * plug-ins that list pages may follow them, and change in no other way.
 */
export function renamerOf(changes: readonly FileDifference[]): (text: string) => string {
  const names = new Map(movesIn(changes).flatMap(({ from, to }) => namesOf(from, to)))
  if (names.size === 0) return (text) => text
  return (text) =>
    text.replaceAll(/[\w./-]+/g, (word) => {
      const lead = /^\.{0,2}\//.exec(word)?.[0] ?? ''
      const tail = word.length > lead.length && word.endsWith('/') ? '/' : ''
      const now = names.get(word.slice(lead.length, word.length - tail.length))
      return now === undefined ? word : `${lead}${now}${tail}`
    })
}

/** Pages that go with pages that come and hold most of their lines. */
function movesIn(changes: readonly FileDifference[]): { from: string; to: string }[] {
  const added = new Map<string, string[]>()
  for (const { path, before, after } of changes)
    if (pageEnding.test(path) && before === undefined)
      for (const line of linesOf(after)) added.set(line, [...(added.get(line) ?? []), path].slice(0, 20))
  const moves: { from: string; to: string }[] = []
  for (const { path: from, before, after } of changes) {
    if (!pageEnding.test(from) || before === undefined || after !== undefined || moves.length >= mostMoves)
      continue
    const lines = linesOf(before)
    const counts = new Map<string, number>()
    for (const line of lines)
      for (const path of added.get(line) ?? []) counts.set(path, (counts.get(path) ?? 0) + 1)
    const [to, count] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), ['', 0])
    if (to !== '' && count * 2 > lines.size) moves.push({ from, to })
  }
  return moves
}

function linesOf(content: Uint8Array | undefined): Set<string> {
  const text = readText(content)
  return new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  )
}

/** The old and new names by which settings may mean a page: below any folder that both have above them, with and without ending. */
function namesOf(from: string, to: string): [old: string, now: string][] {
  if (!/^[\w./-]+$/.test(from) || !/^[\w./-]+$/.test(to)) return []
  const [old, now] = [from.split('/'), to.split('/')]
  let shared = 0
  while (shared < Math.min(old.length, now.length) - 1 && old[shared] === now[shared]) shared++
  const names: [string, string][] = []
  for (let above = 0; above <= shared; above++) {
    const [before, after] = [old.slice(above).join('/'), now.slice(above).join('/')]
    names.push([before, after])
    // A name alone may be any word.
    const [bare, address] = [before, after].map((one) => one.replace(pageEnding, '').replace(/\/index$/i, ''))
    if (bare?.includes('/') === true && address !== undefined) names.push([bare, address])
  }
  return names
}
