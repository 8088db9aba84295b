import type { Citations } from '../links/citations.ts'
import type { Guidance } from '../../../site/guidance.ts'
import type { Lookup } from '../search/lookup.ts'
import type { Deadlines, NamedModel } from '../ports.ts'
import type { Reply } from '../reply.ts'
import type { Conversation } from './prompt.ts'
import type { WatchedModel } from './watch-model.ts'

/** One answer on its way from model to model. */
export interface Trial {
  conversation: Conversation
  citations: Citations
  lookup: Lookup
  reply: Reply
  guidance: Guidance
  /** For all models, instead of their own. */
  deadlines: Deadlines | undefined
  /** Whose turn an answer takes at a model that answers few at once. */
  reader: string
  /** Tokens that hosted models may use; undefined: no limit. */
  tokens: number | undefined
  /** Aborted when the client has left, or the server stops. */
  signal: AbortSignal
  /** The models that were called, each as it is called. */
  used: UsedModel[]
  /** Why only the built-in model answered in place of another one. */
  trouble?: string | undefined
}

export interface UsedModel extends Pick<WatchedModel, 'usage' | 'calls'> {
  name: string
  /** What it was called for: queries for the first search, the answer, or the sources of an answer without any. */
  task: 'queries' | 'answer' | 'sources'
}

const defaultDeadlines: Deadlines = { firstToken: 30_000, call: 90_000, total: 180_000 }

export function deadlinesOf({ deadlines }: NamedModel, trial: Pick<Trial, 'deadlines'>): Deadlines {
  return trial.deadlines ?? deadlines ?? defaultDeadlines
}
