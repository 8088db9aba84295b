/** The `count` highest scores and where they stand, highest first; of equals the first ones. */
export function keepBest(scores: number[], count: number): { at: number; score: number }[] {
  const best: { at: number; score: number }[] = []
  let bar = -Infinity
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at] ?? 0
    if (best.length >= count) {
      if (score <= bar) continue
      best.pop()
    }
    let place = best.length
    while (place > 0 && (best[place - 1]?.score ?? 0) < score) place -= 1
    best.splice(place, 0, { at, score })
    if (best.length >= count) bar = best[best.length - 1]?.score ?? -Infinity
  }
  return best
}
