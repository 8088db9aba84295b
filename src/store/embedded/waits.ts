/** How long questions to the embedded store have waited for those before them. */
export interface Waits {
  note(milliseconds: number): void
  /** Milliseconds that one of 20 has waited at least, of the last ten minutes; undefined where too few were asked. */
  p95(): number | undefined
}

const span = 600_000
const mostKept = 4000
const fewest = 100

export function createWaits(now: () => number = () => performance.now()): Waits {
  let kept: { at: number; milliseconds: number }[] = []
  return {
    note(milliseconds) {
      kept.push({ at: now(), milliseconds })
      // Under a load that fills it, the latest of them say enough.
      if (kept.length >= mostKept * 2) kept = kept.slice(-mostKept)
    },
    p95() {
      const since = now() - span
      const recent = kept.filter(({ at }) => at >= since).map(({ milliseconds }) => milliseconds)
      if (recent.length < fewest) return undefined
      return recent.toSorted((one, other) => one - other)[Math.floor(recent.length * 0.95)]
    },
  }
}
