import { readReview } from '../../../lib/prompts/review-prompt.ts'
import type { AskedPrompt } from '../outgoing/pull-request-body.ts'
import type { TurnEnd } from '../turns/steps.ts'
import type { TurnRow } from '../turns.ts'

/**
 * What a pull request changes, with the turns that have published before: the model's own text of all of it or, without one,
 * what was said so far with what is new.
 */
export function describePullRequest(
  published: readonly TurnRow[],
  { summary, description }: Pick<TurnEnd, 'summary' | 'description'>,
): string {
  if (description !== undefined && description.trim() !== '') return description
  const before = published.at(-1)?.publication
  const said = before?.description ?? before?.summary
  return said === undefined || said === summary ? summary : `${said}\n\n${summary}`
}

/**
 * What was asked for in the turns of a branch, in their order, with those that came to nothing. A turn that failed before it had a
 * branch belongs to the one that came next.
 */
export function promptsOf(before: readonly TurnRow[], turn: TurnRow, branch: string): AskedPrompt[] {
  const isOther = (one: TurnRow): boolean => one.branch !== null && one.branch !== branch
  const own = before.slice(before.findLastIndex(isOther) + 1)
  return [...own, turn].flatMap((one): AskedPrompt[] => {
    // Publishing what was kept is no prompt of a person.
    if (one.publishes) return []
    const { prompt, status, outcome, summary, failure } = one
    return [
      {
        prompt: shortReview(prompt),
        question: outcome === 'needs_input' ? (summary ?? '') : undefined,
        failed: status === 'failed' || status === 'cancelled' ? (failure?.message ?? 'cancelled') : undefined,
      },
    ]
  })
}

/** A review stands beside the lines that it is about: here it is only counted, with what it says of the whole. */
function shortReview(prompt: string): string {
  const review = readReview(prompt)
  if (review === undefined) return prompt
  const { remarks, remark } = review
  const paths = [...new Set(remarks.map(({ path }) => path))]
  const places = paths.slice(0, 5).map((path) => `\`${path.replaceAll('`', "'")}\``)
  const more = paths.length > places.length ? ` and ${paths.length - places.length} more` : ''
  const counted = `Review with ${remarks.length} ${remarks.length === 1 ? 'comment' : 'comments'}`
  const line = remarks.length === 0 ? 'Review' : `${counted} on ${places.join(', ')}${more}`
  return remark === undefined ? `${line}.` : `${line}: ${remark}`
}
