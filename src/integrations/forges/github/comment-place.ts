import { z } from 'zod'
import type { CommentPlace } from '../forge.ts'

/** The fields that say where a comment on the diff is; the original ones after the line has changed. */
export const commentPlace = {
  line: z.number().nullish(),
  original_line: z.number().nullish(),
  start_line: z.number().nullish(),
  original_start_line: z.number().nullish(),
  side: z.string().nullish(),
  commit_id: z.string().nullish(),
  original_commit_id: z.string().nullish(),
}

const fields = z.object(commentPlace)

export function placeOf(comment: z.output<typeof fields>): CommentPlace {
  const isNow = comment.line != null
  const isOld = comment.side === 'LEFT'
  const commit = isNow ? comment.commit_id : comment.original_commit_id
  return {
    line: (isNow ? comment.line : comment.original_line) ?? undefined,
    startLine: (isNow ? comment.start_line : comment.original_start_line) ?? undefined,
    side: isOld ? 'old' : undefined,
    // GitHub does not tell what the change was compared with.
    commit: isOld ? undefined : commit || undefined,
    outdated: !isNow && comment.original_line != null ? true : undefined,
  }
}
