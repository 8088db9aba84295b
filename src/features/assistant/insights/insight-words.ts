import type { CallerColumn, FeedbackReasonColumn } from '../../../store/columns.ts'

// Terminal commands load this file, so it may load nothing of the server.

/** From where a question or a search came. */
export const callers = ['web', 'widget', 'api', 'mcp', 'chat'] as const satisfies readonly CallerColumn[]

export const intervals = ['day', 'week', 'month'] as const
export type Interval = (typeof intervals)[number]

/** `none`: nothing was found. `weak`: something was, but the documentation hardly speaks of it. */
export const searchResults = ['none', 'weak'] as const

/** Why a reader did not like an answer. */
export const feedbackReasons = [
  'incorrect',
  'incomplete',
  'outdated',
  'irrelevant',
  'unclear',
  'other',
] as const satisfies readonly FeedbackReasonColumn[]
