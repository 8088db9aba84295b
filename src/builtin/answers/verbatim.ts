/** Words that a message has in common with a text, one after the other, at least. */
const fewest = 4
/** So many are enough in a message of any length; of a shorter one they must be this share. */
const many = 6
const leastShare = 0.5
const mostWords = 60
const longest = 20_000

/**
 * The share of a message that stands in a text as it is, numbers and ids aside; 0 where that may be by chance. Programs
 * write the same each time, so it tells more than words that are scattered over a page.
 */
export function verbatimShare(message: string, text: string): number {
  const said = wordsOf(message).slice(0, mostWords)
  const held = ` ${wordsOf(text.slice(0, longest)).join(' ')} `
  let best = 0
  for (let from = 0, to = 1; to <= said.length; to++) {
    // Only longer stretches than the best one are of interest.
    while (from < to && !held.includes(` ${said.slice(from, to).join(' ')} `)) from += 1
    best = Math.max(best, to - from)
  }
  const share = best / Math.max(1, said.length)
  return best >= many || (best >= fewest && share >= leastShare) ? share : 0
}

function wordsOf(text: string): string[] {
  return [...text.toLowerCase().matchAll(/[\p{L}\p{N}_]+/gu)].map(([word]) => (/\d/.test(word) ? '0' : word))
}
