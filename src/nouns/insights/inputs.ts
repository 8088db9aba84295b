import { z } from '@hono/zod-openapi'
import type { Position } from '../../features/assistant/insights/conversations.ts'
import { AppError } from '../../lib/errors.ts'
import { cursorRule } from '../../lib/list-query.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import { answerOutcome, caller, rating } from './answers.ts'

const textRule = 'must be text of 1 to 1,000 characters that can be stored'
export const text = z
  .string()
  .min(1, textRule)
  .max(1000, textRule)
  .refine((value) => !hasUnstorable(value), textRule)
const timeRule = 'must be a day such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z'
// Described as a string: few generators make one type of two formats.
const time = z.string(timeRule).pipe(z.union([z.iso.date(), z.iso.datetime({ offset: true })], timeRule))
export const range = {
  from: time.optional().describe('A day (UTC) or a time: asked then or later.'),
  to: time.optional().describe('A day (UTC), which is included, or a time, which is not.'),
}

export const filterQuery = z.object({
  ...range,
  outcome: answerOutcome.optional(),
  caller: caller.optional(),
  rating: rating.optional(),
  page: text.optional().describe('The page that the reader was on, or the path or address of a cited one.'),
  text: text.optional().describe('What a question or its answer contains, in any case of letters.'),
  fp: text.optional().describe('Who asked.'),
})

export const cursor = z
  .string()
  .max(2027, cursorRule)
  .regex(/^[0-9]{1,16}\.[0-9]{1,9}\.[A-Za-z0-9_-]*$/, cursorRule)
  .openapi({ example: '1795000000000.4.dGhyX2Fi' })
  .optional()
  .describe('`nextCursor` of the page before.')

/** The range of what is counted. */
export const countedRange = {
  from: range.from.describe('A day (UTC) or a time; 30 days before `to` when absent.'),
  to: range.to.describe('A day (UTC), which is included, or a time, which is not; now when absent.'),
}

/** The cursor after a position, in the form of `cursor`. */
export function cursorOf(position: Position | undefined): string | null {
  if (!position) return null
  return `${position.at}.${position.n}.${Buffer.from(position.threadId).toString('base64url')}`
}

/** The position that a cursor names. @throws AppError `invalid` */
export function positionOf(text: string | undefined): Position | undefined {
  if (text === undefined) return undefined
  const [at, n, thread = ''] = text.split('.')
  const threadId = Buffer.from(thread, 'base64url').toString('utf8')
  if (hasUnstorable(threadId)) throw new AppError('invalid', `\`cursor\` ${cursorRule}`)
  return { at: Number(at), n: Number(n), threadId }
}
