import { availableParallelism } from 'node:os'
import { type TextThread, type ThreadOptions, createTextThread } from '../../lib/threads/text-thread.ts'
import type { ToolboxContract } from './thread-tasks.ts'

const count = Math.min(3, Math.max(2, availableParallelism() - 1))
const defaults: ThreadOptions = { deadline: 10_000, memory: 512, idle: 600_000 }

type ToolboxThread = TextThread<ToolboxContract>

export interface ToolboxThreads {
  /** Runs something in the thread of a project, which knows its pages: another one only where that works for others. */
  use<Result>(projectId: string, work: (thread: ToolboxThread) => Promise<Result>): Promise<Result>
}

interface Lane {
  thread: ToolboxThread
  /** Projects that wait or work there, once for each of their tasks. */
  busy: string[]
}

/** A few threads, so that a text that keeps one of them busy does not hold up all projects. */
export function createToolboxThreads(module: URL, given: Partial<ThreadOptions>): ToolboxThreads {
  const options = { ...defaults, ...given }
  const lanes = Array.from({ length: count }, (): Lane => ({
    thread: createTextThread<ToolboxContract>(module, options),
    busy: [],
  }))
  const homes = new Map<string, Lane>()
  const choose = (projectId: string): Lane | undefined => {
    const home = homes.get(projectId)
    if (home !== undefined && isFree(home, projectId)) return home
    const best = lanes.toSorted((one, other) => one.thread.load - other.thread.load)[0]
    return home === undefined || best?.thread.load === 0 ? best : home
  }
  return {
    async use(projectId, work) {
      const lane = choose(projectId)
      if (lane === undefined) throw new Error('There is no thread')
      homes.delete(projectId)
      homes.set(projectId, lane)
      for (const oldest of homes.keys()) {
        if (homes.size <= 1000) break
        homes.delete(oldest)
      }
      lane.busy.push(projectId)
      try {
        return await work(lane.thread)
      } finally {
        lane.busy.splice(lane.busy.indexOf(projectId), 1)
      }
    },
  }
}

// Of what nobody waits for any more the thread has still to be done with.
function isFree({ thread, busy }: Lane, projectId: string): boolean {
  return busy.every((other) => other === projectId) && thread.load <= busy.length
}
