import type { Citations } from '../citations.ts'
import type { Lookup } from '../lookup.ts'
import type { Deadlines } from '../ports.ts'
import type { Reply } from '../reply.ts'
import type { Conversation } from './prompt.ts'
import type { WatchedModel } from './watch-model.ts'

/** One answer on its way from model to model. */
export interface Trial {
  conversation: Conversation
  citations: Citations
  lookup: Lookup
  reply: Reply
  deadlines: Deadlines
  /** Tokens that hosted models may use; undefined: no limit. */
  tokens: number | undefined
  /** Aborted when the client has left, or the server stops. */
  signal: AbortSignal
  /** The models that were called, each as it is called. */
  used: { name: string; usage: WatchedModel['usage'] }[]
}

export const defaultDeadlines: Deadlines = { firstToken: 30_000, call: 90_000, total: 180_000 }
