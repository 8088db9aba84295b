import type { CommentColumn } from '../../../store/columns.ts'
import { makeStorable } from '../../../lib/text/plain-text.ts'
import type { TurnRun } from '../turns/turn-run.ts'
import type { TurnRow } from '../turns.ts'

const kept = 50
const maxLength = 4000
const maxTotal = 30_000

/** Comments on the pull request that no completed turn was shown; none when the host does not answer. */
export async function newComments(
  run: TurnRun,
  number: number | undefined,
  earlier: readonly TurnRow[],
): Promise<CommentColumn[]> {
  if (number === undefined) return []
  const completed = earlier.filter(({ status }) => status === 'completed')
  const seen = completed.flatMap((turn) => turn.material?.comments ?? [])
  const ids = new Set(seen.map(({ id }) => id))
  // Since the newest comment that was shown rather than a time, so that comments from while that turn began are not
  // lost.
  const since = seen
    .map(({ at }) => at)
    .toSorted()
    .at(-1)
  try {
    const comments = await run.forge.commentsSince(number, since === undefined ? undefined : new Date(since))
    const fresh = comments.filter(({ id }) => !ids.has(id)).slice(-kept)
    let left = maxTotal
    return fresh.flatMap(({ id, author, body, createdAt, trusted, path, line }) => {
      const text = makeStorable(body.slice(0, Math.min(maxLength, left)))
      left -= text.length
      if (text.trim() === '') return []
      return {
        id,
        author: makeStorable(author.slice(0, 100)),
        body: text,
        at: createdAt.toISOString(),
        trusted: trusted === true,
        path: path ?? null,
        line: line ?? null,
      }
    })
  } catch (error) {
    run.signal.throwIfAborted()
    run.ports.reportError?.(error)
    return []
  }
}
