import type { ChangeRequest } from './forge.ts'

/** The ways of merging, as people name them on every host. */
export const mergeStyles = ['merge', 'squash', 'rebase'] as const
export type MergeStyle = (typeof mergeStyles)[number]

/** A change request as whoever merges it has to know it. */
export interface MergeView extends ChangeRequest {
  title: string
  /** Markdown. */
  body: string
  /** The commit of its branch that would be merged. Some hosts shorten it. */
  headCommit: string
  /** Of the base, as its host tells it. */
  baseCommit: string
  /** Set once it is merged, where the host tells it. */
  mergeCommit: string | undefined
  createdAt: Date
  /** When it was merged or closed. */
  closedAt: Date | undefined
  /** What the repository allows, its own default first. Empty when it allows nothing that we know. */
  styles: readonly MergeStyle[]
}

/** The port: merging by the host, with its rules. */
export interface Merging {
  look(number: number): Promise<MergeView | undefined>
  /**
   * Merges what `look` has shown, once: a request that may have taken effect is never sent again.
   * @throws AppError `conflict` in the host's words when it does not merge it now, or when it has other commits by now;
   * `forbidden` when the credential may not merge; `unavailable` when the host does not tell whether it has merged it
   */
  merge(view: MergeView, style: MergeStyle): Promise<void>
}

/** Said where the branch has moved on since somebody looked at it. */
export const otherCommits =
  'The branch has other commits than those that you looked at: look again, then merge'

/** Whether two names of a commit, of which one may be shortened, are of the same. */
export function isSameCommit(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length)
  return length >= 7 && one.slice(0, length).toLowerCase() === other.slice(0, length).toLowerCase()
}
