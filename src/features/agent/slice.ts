import type { RunPorts } from './ports.ts'

/** A runner's time with one job. */
export interface Slice {
  /** Called before each step: whether other jobs wait and have waited long enough. */
  isOver: () => Promise<boolean>
}

/** So often the queue is looked at once a slice is over. */
const between = 5

export function openSlice({ queue, limits }: Pick<RunPorts, 'queue' | 'limits'>, jobId: string): Slice {
  const started = performance.now()
  let steps = 0
  return {
    async isOver() {
      const done = steps++
      const late = performance.now() - started >= limits.slice.milliseconds
      if (done === 0 || (done < limits.slice.steps && !late)) return false
      if (!late && (done - limits.slice.steps) % between !== 0) return false
      const waiting = await queue.waitingKeys('job')
      waiting.delete(jobId)
      return waiting.size > 0
    },
  }
}
