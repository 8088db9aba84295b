import { readAnalytics, type Analytics } from './analytics.ts'
import type { SummingStore } from './insight-days.ts'
import type { Range } from './list-searches.ts'
import { keepNewest } from '../../../lib/keep-newest.ts'
import type { Interval } from './insight-words.ts'

/** Counts of a range, at most a minute old, because several pages show the same ones. */
export interface RecentAnalytics {
  read(projectId: string, asked: { range: Range; interval: Interval }): Promise<Analytics>
  /** Counts anew from now on: something was deleted. */
  forget(projectId: string): void
}

/** Milliseconds. */
const freshFor = 60_000
const mostKept = 100
const limit = 10

/** @param now milliseconds */
export function createRecentAnalytics(store: SummingStore, now: () => number): RecentAnalytics {
  const kept = new Map<string, { at: number; projectId: string; analytics: Promise<Analytics> }>()
  return {
    read(projectId, { range, interval }) {
      // Ranges that end now would all be different.
      const minutes = [range.from, range.to].map((time) => Math.floor(time.getTime() / freshFor))
      const key = [projectId, interval, ...minutes].join()
      const known = kept.get(key)
      if (known && now() - known.at < freshFor) return known.analytics
      const analytics = readAnalytics(store, projectId, { range, interval, limit })
      keepNewest(kept, mostKept, key, { at: now(), projectId, analytics })
      analytics.catch(() => kept.delete(key))
      return analytics
    },
    forget(projectId) {
      for (const [key, one] of kept) if (one.projectId === projectId) kept.delete(key)
    },
  }
}
