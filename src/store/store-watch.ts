import { StoreTrouble, findStoreTrouble, toStoreTrouble } from './store-trouble.ts'

/** Told once when a database that worked goes away, and once when it is back after so many milliseconds. */
export type ReportStore = (change: { away: StoreTrouble } | { backAfter: number }) => void

/** Sees every query of a store. */
export interface StoreWatch {
  worked(): void
  /** @returns what to throw in its place */
  failed(error: unknown): unknown
}

export function createWatch(report: ReportStore = () => undefined): StoreWatch {
  let hasWorked = false
  let since: number | undefined
  return {
    worked() {
      hasWorked = true
      if (since === undefined) return
      const backAfter = performance.now() - since
      since = undefined
      report({ backAfter })
    },
    failed(error) {
      const named = toStoreTrouble(error)
      const trouble = findStoreTrouble(named)
      if (trouble?.kind === 'away' && hasWorked && since === undefined) {
        since = performance.now()
        report({ away: trouble })
      }
      return named
    },
  }
}
