import { createTextThread, type TextThread } from '../../lib/threads/text-thread.ts'
import type { ImpactTask } from '../../site/impact/assess.ts'
import type { LeftOutPages } from '../../site/impact/choose-pages.ts'
import type { ImpactReport } from '../../site/impact/findings.ts'

/** What the thread says of a change. */
export interface ThreadReport extends ImpactReport {
  /** Pages that were compared. */
  compared: number
  leftOut: LeftOutPages[]
  /** What is wrong with the map of the repository. */
  mapProblem: string | undefined
}

export interface ImpactThreadContract {
  /** With all pages below `root`, and the text of the map. */
  task: ImpactTask & { root: string; map: Uint8Array | undefined }
  /** Ids of blobs, at most a hundred or two. */
  request: { side: 'code' | 'pages'; oids: readonly string[] }
  /** Undefined for those that are too large: such files are made by programs, or data. */
  reply: (Uint8Array | 'missing' | undefined)[]
  answer: ThreadReport
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
