import { z } from '@hono/zod-openapi'
import { callers, feedbackReasons } from '../features/assistant/insights/insight-words.ts'
import { answerOutcomes } from '../features/assistant/outcome.ts'
import { roles } from '../features/projects/person.ts'

/** The words that several operations ask for and answer with. */
export const answerOutcome = z
  .enum(answerOutcomes, `must be one of ${answerOutcomes.join(', ')}`)
  .openapi('AnswerOutcome', { description: 'What became of a question.' })

export const caller = z
  .enum(callers, `must be one of ${callers.join(', ')}`)
  .openapi('Caller', { description: 'From where a question or a search came.' })

export const rating = z
  .enum(['up', 'down'], 'must be up or down')
  .openapi('Rating', { description: 'What a reader thought of an answer.' })

export const feedbackReason = z
  .enum(feedbackReasons, `must be one of ${feedbackReasons.join(', ')}`)
  .openapi('FeedbackReason', { description: 'Why a reader did not like an answer.' })

export const role = z
  .enum(roles, 'must be owner, editor or viewer')
  .openapi('Role', { description: 'What a person may do in an organization.' })

export const signInProvider = z
  .enum(['oidc', 'github'], 'must be oidc or github')
  .openapi('SignInProvider', { description: 'Who proves who somebody is.' })
