import { findStoreTrouble, toStoreTrouble } from './store-trouble.ts'
import type { StoreTrouble } from './store-trouble.ts'

/**
 * Told once when a database that worked goes away and once when it is back, after so many milliseconds; and now and then
 * while it is full.
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

/** Milliseconds between two reports of a full disk: reading still works, so nothing tells when it is over. */
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
