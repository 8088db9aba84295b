/** Quality of one ranking, or the mean of several. */
export interface Quality {
  ndcg: number
  recall5: number
  recall10: number
  mrr: number
}

/** Judges the first ten of a ranking; all that is relevant counts the same. */
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

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** @param share such as 0.95 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
