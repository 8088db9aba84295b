import type { MergeStyle } from '../../../src/integrations/forges/merging.ts'

/** For tests: how a fake host merges, and what it has merged. */
export interface FakeMerges {
  /** What the repository allows. */
  styles: readonly MergeStyle[]
  /** Whether the account of the credential may merge. */
  may: boolean
  /** Why it merges nothing now, in the host's words. */
  refusal: string | undefined
  /** Requests that it answers by "not yet", as a Gitea that still compares. */
  early: number
  done: { number: number; style: MergeStyle; head: string }[]
}

export function fakeMerges(): FakeMerges {
  return { styles: ['merge', 'squash', 'rebase'], may: true, refusal: undefined, early: 0, done: [] }
}
