/** What is read now, and how many of the pages are done. */
export interface SiteProgress {
  phase: string
  done: number
  total: number
}

export type Report = (progress: SiteProgress) => Promise<void>

/** Milliseconds between two reports. */
const reportEvery = 500

/** Passes on a report now and then: one for each of a hundred thousand pages would take longer than the pages. */
export function sparingly(report: Report): Report {
  let last = 0
  return async (progress) => {
    if (progress.done > 0 && performance.now() - last < reportEvery) return
    last = performance.now()
    await report(progress)
  }
}
