/** The `count` highest scores and where they stand, highest first; of equals the first ones. */
export function keepBest(scores: Float64Array, count: number): { at: number; score: number }[] {
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

/**
 * A test by place that the `count` highest scores pass, and few others: those of the same sixteenth of a percent.
 * Linear, where keepBest is not for a large count.
 */
export function passesBest(scores: Float64Array, count: number): (score: unknown, at: number) => boolean {
  let highest = 0
  for (const score of scores) if (score > highest) highest = score
  const steps = 1600
  const scale = highest === 0 ? 0 : (steps - 1) / highest
  const tally = new Uint32Array(steps)
  for (const score of scores) {
    const step = Math.floor(score * scale)
    tally[step] = (tally[step] ?? 0) + 1
  }
  let bar = steps - 1
  for (let passed = tally[bar] ?? 0; passed < count && bar > 0; passed += tally[bar] ?? 0) bar -= 1
  return (_, at) => Math.floor((scores[at] ?? 0) * scale) >= bar
}
