import { findStoreTrouble, toStoreTrouble, type StoreTrouble } from './store-trouble.ts'

/**
 * Called once when a working database goes away, once when it is back, with the milliseconds between, and now and
 * then while it is full.
 */
export type ReportStore = (
  change: { away: StoreTrouble } | { backAfter: number } | { full: StoreTrouble },
) => void

/** Sees every query of a store. */
export interface StoreWatch {
  worked(): void
  /** @returns what to throw in its place */
  failed(error: unknown): unknown
}

/** Milliseconds between two reports of a full disk. Reading still works, so nothing shows when it is over. */
const betweenFull = 60_000

export function createWatch(report: ReportStore = () => undefined): StoreWatch {
  let hasWorked = false
  let awaySince: number | undefined
  let toldFull = -Infinity
  return {
    worked() {
      hasWorked = true
      if (awaySince === undefined) return
      const backAfter = performance.now() - awaySince
      awaySince = undefined
      report({ backAfter })
    },
    failed(error) {
      const named = toStoreTrouble(error)
      const trouble = findStoreTrouble(named)
      const now = performance.now()
      if (trouble?.kind === 'away' && hasWorked && awaySince === undefined) {
        awaySince = now
        report({ away: trouble })
      }
      if (trouble?.kind === 'full' && now - toldFull > betweenFull) {
        toldFull = now
        report({ full: trouble })
      }
      return named
    },
  }
}
