import { makeStorable } from '../../lib/text/plain-text.ts'
import type { AnswerOutcomeColumn } from '../../store/columns.ts'

export const answerOutcomes = [
  'answered',
  'partial',
  'weak',
  'unanswered',
  'uncited',
  'clarified',
  'greeting',
  'refused',
  'failed',
  'stopped',
] as const satisfies readonly AnswerOutcomeColumn[]

/**
 * The outcome of a question. `weak`: quotes that may be about something else, and that say so. It feeds the list of gaps
 * in the documentation, as the causes of `unanswered` do.
 */
export type Outcome = (
  | { outcome: Exclude<AnswerOutcomeColumn, 'unanswered'>; cause?: undefined }
  | { outcome: 'unanswered'; cause: Gap }
) & {
  /** What was asked for that the documentation does not mention, where the model says so. */
  missing?: readonly string[]
  /** The pinned answer that was given. */
  pinned?: string
}

/**
 * `off_topic`: nothing was looked up, the model says that the question is about something else, or nearly none of its words
 * is in any page. `nothing_found`: no
 * page shares more than a word with it. `weak`: pages came close, but none was good enough to cite.
 */
type Gap = 'off_topic' | 'nothing_found' | 'weak'

/** What a model says of its own reply. */
export const replyMarks = [
  'answered',
  'partial',
  'not_covered',
  'off_topic',
  'clarified',
  'greeting',
  'refused',
] as const
export type ReplyMark = (typeof replyMarks)[number]

const mostMissing = 8
const longestMissing = 100

/** An outcome with what a model says is missing: only where something may be. */
export function withMissing(outcome: Outcome, names: readonly string[]): Outcome {
  if (outcome.outcome !== 'partial' && outcome.outcome !== 'unanswered') return outcome
  const missing = names.map((name) => makeStorable(name.trim()).slice(0, longestMissing).toWellFormed())
  const kept = [...new Set(missing)].filter((name) => name !== '').slice(0, mostMissing)
  return kept.length === 0 ? outcome : { ...outcome, missing: kept }
}

export interface Looked {
  /** Searches that ran. */
  searches: number
  /** Hits of all of them that share more than a word with what was searched for, good enough to be shown or not. */
  hits: number
  /** Whether most of what a search was for is in no page. */
  strange: boolean
}

export interface Evidence {
  question: string
  reply: string
  /** Pages that the reply links to. */
  cited: number
  /** Undefined: the model left it out, or wrote nonsense. */
  mark: ReplyMark | undefined
  looked: Looked
  /** Whether a search found what is likely about the question. */
  found: boolean
}

/**
 * What a reply is. A model's own mark counts only where the reply bears it out, because a page may tell the model
 * what to write. Without a mark, links, searches and the shape of the reply decide.
 */
export function judgeReply({ question, reply, cited, mark, looked, found }: Evidence): Outcome {
  const brief = reply.length <= longestBrief && !reply.includes('```')
  if (mark === 'refused') return { outcome: 'refused' }
  if (mark === 'not_covered') return unanswered(looked)
  if (mark === 'off_topic') return { outcome: 'unanswered', cause: 'off_topic' }
  if ((mark === 'clarified' || mark === 'greeting') && brief) return { outcome: mark }
  if (cited > 0) return { outcome: mark === 'partial' ? 'partial' : 'answered' }
  if (!brief || reply.includes('`')) return { outcome: 'uncited' }
  if (looked.searches === 0)
    return { outcome: question.trim().endsWith('?') && isOneQuestion(reply) ? 'clarified' : 'greeting' }
  if (mark !== undefined) return { outcome: 'uncited' }
  if (isOneQuestion(reply)) return { outcome: 'clarified' }
  return found ? { outcome: 'uncited' } : unanswered(looked)
}

const longestBrief = 600

export function unanswered({ searches, hits, strange }: Looked): Outcome {
  if (searches === 0 || (hits === 0 && strange)) return { outcome: 'unanswered', cause: 'off_topic' }
  return { outcome: 'unanswered', cause: hits === 0 ? 'nothing_found' : 'weak' }
}

// A single question says nothing that would need a source.
function isOneQuestion(reply: string): boolean {
  const text = reply.trim()
  return /[?？؟]$/.test(text) && !/[.!?]\s|[。！？؟]|\n/.test(text.slice(0, -1))
}
