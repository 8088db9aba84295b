import type { z } from '@hono/zod-openapi'
import type { QuestionFilter } from '../../features/assistant/insights/conversations.ts'
import { AppError } from '../../lib/errors.ts'
import type { filterQuery } from './inputs.ts'

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
