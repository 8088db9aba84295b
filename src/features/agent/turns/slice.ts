import type { Slice, RunPorts } from './turn-run.ts'

/** So often the queue is looked at once a slice is over. */
const between = 5

/**
 * The first slices of a turn are short, so that short jobs are through with one even behind many others; what has had
 * one stands behind all that has had less (`rankOf`).
 */
export function openSlice({ queue, limits }: Pick<RunPorts, 'queue' | 'limits'>, jobId: string): Slice {
  const started = performance.now()
  let first: number | undefined
  return {
    async isOver(steps) {
      // The next turn of a job begins in what is left of the slice.
      if (first === undefined || steps < first) first = steps
      const done = steps - first
      const most = Math.max(1, Math.floor(limits.slice.steps / 2 ** (2 - rankOf(first, limits))))
      const late = performance.now() - started >= limits.slice.milliseconds
      if (done === 0 || (done < most && !late)) return false
      if (!late && (done - most) % between !== 0) return false
      const waiting = await queue.waitingKeys('job')
      waiting.delete(jobId)
      return waiting.size > 0
    },
  }
}

/** 0 for a turn that has had no slice yet, 1 after the first, 2 after that. */
export function rankOf(steps: number, { slice }: Pick<RunPorts['limits'], 'slice'>): 0 | 1 | 2 {
  if (steps < slice.steps / 4) return 0
  return steps < slice.steps / 2 ? 1 : 2
}
