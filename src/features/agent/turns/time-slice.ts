import type { TimeSlice, RunPorts } from './turn-run.ts'

/** Steps between two checks of the queue once a slice is over. */
const between = 5

/**
 * Starts a time slice of a job. The first slices of a turn are short, and a turn that has used more of them
 * (`slicesUsed`) comes after the others of its project, so that short jobs need not wait for long ones.
 */
export function startTimeSlice(
  { othersWait, limits }: Pick<RunPorts, 'othersWait' | 'limits'>,
  jobId: string,
): TimeSlice {
  const started = performance.now()
  let first: number | undefined
  return {
    async isOver(steps) {
      // The next turn of a job uses the rest of the slice.
      if (first === undefined || steps < first) first = steps
      const done = steps - first
      const most = Math.max(1, Math.floor(limits.slice.steps / 2 ** (2 - slicesUsed(first, limits))))
      const late = performance.now() - started >= limits.slice.milliseconds
      if (done === 0 || (done < most && !late)) return false
      if (!late && (done - most) % between !== 0) return false
      return othersWait(jobId)
    },
  }
}

/** The slices that a turn has used: 0, 1, or 2 for more. */
export function slicesUsed(steps: number, { slice }: Pick<RunPorts['limits'], 'slice'>): 0 | 1 | 2 {
  if (steps < slice.steps / 4) return 0
  return steps < slice.steps / 2 ? 1 : 2
}
