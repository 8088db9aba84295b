import { z } from 'zod'
import type { Comment } from '../forge.ts'

export type CommentPlace = Pick<Comment, 'path' | 'line' | 'startLine' | 'side'>

/** The fields that say where a comment on the diff is; the original ones after the line has changed. */
export const commentPlace = {
  line: z.number().nullish(),
  original_line: z.number().nullish(),
  start_line: z.number().nullish(),
  original_start_line: z.number().nullish(),
  side: z.string().nullish(),
}

const fields = z.object(commentPlace)

export function placeOf(comment: z.output<typeof fields>): CommentPlace {
  const isNow = comment.line != null
  return {
    line: (isNow ? comment.line : comment.original_line) ?? undefined,
    startLine: (isNow ? comment.start_line : comment.original_start_line) ?? undefined,
    side: comment.side === 'LEFT' ? 'old' : undefined,
  }
}
