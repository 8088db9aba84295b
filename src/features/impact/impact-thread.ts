import { createTextThread, type TextThread } from '../../lib/threads/text-thread.ts'
import type { ImpactTask } from '../../site/impact/assess.ts'
import type { ImpactReport } from '../../site/impact/report.ts'

export interface ImpactThreadContract {
  task: ImpactTask
  /** Ids of blobs, at most a hundred or two. */
  request: { side: 'code' | 'pages'; oids: readonly string[] }
  /** Undefined for those that are too large: such files are made by programs, or data. */
  reply: (Uint8Array | 'missing' | undefined)[]
  answer: ImpactReport
}

/** Milliseconds of work between two files that the thread asks for, and of one change in all. */
const deadline = 20_000
export const totalOfChange = 60_000

/** Ranks changes outside of the main thread: code, diffs and pages are texts of strangers. */
export function createImpactThread(): TextThread<ImpactThreadContract> {
  return createTextThread<ImpactThreadContract>(new URL('impact.worker.ts', import.meta.url), {
    deadline,
    memory: 512,
  })
}
