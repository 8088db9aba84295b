/** Quality of one ranking, or the mean of several. */
export interface Quality {
  ndcg: number
  recall5: number
  recall10: number
  mrr: number
}

/** Judges the first ten of a ranking; every relevant page counts the same. */
export function judge(ranked: string[], relevant: string[]): Quality {
  const quality: Quality = { ndcg: 0, recall5: 0, recall10: 0, mrr: 0 }
  ranked.slice(0, 10).forEach((id, place) => {
    if (!relevant.includes(id)) return
    quality.ndcg += 1 / Math.log2(place + 2)
    if (place < 5) quality.recall5 += 1 / relevant.length
    quality.recall10 += 1 / relevant.length
    if (quality.mrr === 0) quality.mrr = 1 / (place + 1)
  })
  const ideal = relevant.slice(0, 10).reduce((sum, _, place) => sum + 1 / Math.log2(place + 2), 0)
  return { ...quality, ndcg: ideal === 0 ? 0 : quality.ndcg / ideal }
}

export function meanQuality(all: Quality[]): Quality {
  const mean = (pick: (quality: Quality) => number) =>
    all.reduce((sum, quality) => sum + pick(quality), 0) / all.length
  return {
    ndcg: mean((quality) => quality.ndcg),
    recall5: mean((quality) => quality.recall5),
    recall10: mean((quality) => quality.recall10),
    mrr: mean((quality) => quality.mrr),
  }
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/**
 * Makes one typo in the longest plain word of a question, determined by the seed: two letters are swapped, or one
 * is left out, doubled or replaced. The first letter stays. A question without a word of five letters is not
 * changed.
 */
export function withTypo(query: string, seed: string): string {
  const words = [...query.matchAll(/\p{L}{5,}/gu)].toSorted((a, b) => b[0].length - a[0].length)
  const word = words[0]
  if (word === undefined) return query
  let hash = 2166136261
  for (const character of seed) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0
  const letters = Array.from(word[0])
  const at = 1 + (hash % (letters.length - 2))
  const here = letters[at] ?? ''
  const next = letters[at + 1] ?? ''
  const edits = [[next, here], [next], [here, here, next], [here === 'e' ? 'a' : 'e', next]]
  letters.splice(at, 2, ...(edits[(hash >>> 8) % edits.length] ?? []))
  return query.slice(0, word.index) + letters.join('') + query.slice(word.index + word[0].length)
}
