import type { AnswerOutcomeColumn } from '../../store/tables.ts'

export const answerOutcomes = [
  'answered',
  'partial',
  'unanswered',
  'uncited',
  'clarified',
  'greeting',
  'refused',
  'failed',
  'stopped',
] as const satisfies readonly AnswerOutcomeColumn[]

/** The outcome of a question. Causes of `unanswered` feed the list of gaps in the documentation. */
export type Outcome =
  | { outcome: Exclude<AnswerOutcomeColumn, 'unanswered'>; cause?: undefined }
  | { outcome: 'unanswered'; cause: Gap }

/**
 * `off_topic`: nothing was looked up. `nothing_found`: no page matches. `weak`: pages came close, but none was good
 * enough to cite.
 */
type Gap = 'off_topic' | 'nothing_found' | 'weak'

export interface Looked {
  /** Searches that ran. */
  searches: number
  /** Hits of all of them, before those below the floor were dropped. */
  hits: number
}

export function judgeAnswer(cited: number, looked: Looked): Outcome {
  if (cited > 0) return { outcome: 'answered' }
  if (looked.searches === 0) return { outcome: 'unanswered', cause: 'off_topic' }
  return { outcome: 'unanswered', cause: looked.hits === 0 ? 'nothing_found' : 'weak' }
}
