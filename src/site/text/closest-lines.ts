const maxSearchLines = 20
const maxFileLines = 20_000
const maxWords = 60

/**
 * Finds the lines of a text that are most similar to a search that was not found, so that the next try can be
 * exact. The line counts from 0.
 */
export function closestLines(
  lines: readonly string[],
  search: string,
): { line: number; count: number } | undefined {
  const wanted = search.split('\n').slice(0, maxSearchLines).map(wordsOf)
  const fileWords = lines.slice(0, maxFileLines).map(wordsOf)
  const total = wanted.reduce((sum, words) => sum + words.size, 0)
  if (total === 0) return undefined
  let best = { line: -1, score: 0 }
  for (let line = 0; line < fileWords.length; line++) {
    let score = 0
    for (const [index, words] of wanted.entries()) score += overlap(words, fileWords[line + index])
    if (score > best.score) best = { line, score }
  }
  // With less than a third of the words in common, the lines are not similar enough.
  if (best.line === -1 || best.score * 3 < total) return undefined
  return { line: best.line, count: search.split('\n').length }
}

function wordsOf(line: string): Set<string> {
  return new Set(
    (
      line
        .slice(0, 1000)
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? []
    ).slice(0, maxWords),
  )
}

function overlap(wanted: ReadonlySet<string>, given: ReadonlySet<string> | undefined): number {
  if (given === undefined || given.size === 0) return 0
  let shared = 0
  for (const word of wanted) if (given.has(word)) shared++
  // Words of the line that are not in the search reduce its score a little.
  return shared - Math.min(shared, Math.max(0, given.size - wanted.size) * 0.1)
}
