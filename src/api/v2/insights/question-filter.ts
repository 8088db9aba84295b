import type { z } from '@hono/zod-openapi'
import type { Position, QuestionFilter } from '../../../features/assistant/insights/conversations.ts'
import { cursorRule } from '../../../lib/list-query.ts'
import { AppError } from '../../../lib/errors.ts'
import { hasUnstorable } from '../../../lib/text/plain-text.ts'
import type { filterQuery } from '../../../nouns/insights/inputs.ts'

const day = 86_400_000

export function rangeOf({ from, to }: { from?: string | undefined; to?: string | undefined }): {
  from: Date | undefined
  to: Date | undefined
} {
  const start = from === undefined ? undefined : new Date(from)
  const isDay = to !== undefined && /^\d{4}-\d\d-\d\d$/.test(to)
  const end = to === undefined ? undefined : new Date(new Date(to).getTime() + (isDay ? day : 0))
  if (start && start >= (end ?? new Date()))
    throw new AppError('invalid', end ? '`from` must be before `to`' : '`from` must be in the past')
  return { from: start, to: end }
}

export function filterOf({ from, to, ...filter }: z.output<typeof filterQuery>): QuestionFilter {
  return { ...filter, ...rangeOf({ from, to }) }
}

export function cursorOf(position: Position | undefined): string | null {
  if (!position) return null
  return `${position.at}.${position.n}.${Buffer.from(position.threadId).toString('base64url')}`
}

export function positionOf(text: string | undefined): Position | undefined {
  if (text === undefined) return undefined
  const [at, n, thread = ''] = text.split('.')
  const threadId = Buffer.from(thread, 'base64url').toString('utf8')
  if (hasUnstorable(threadId)) throw new AppError('invalid', `\`cursor\` ${cursorRule}`)
  return { at: Number(at), n: Number(n), threadId }
}
