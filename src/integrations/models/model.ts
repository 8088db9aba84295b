import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ModelTurns } from './model-turns.ts'

/** The port: what the agent and the assistant call. The interface is the AI SDK's, so any of its providers fits. */
export type Model = LanguageModelV4

/** A model that turns texts into vectors, which are near each other where the texts mean the same. */
export interface Embedder {
  /**
   * @param purpose some models read what is searched for differently from what is found
   * @param options.retries how often a call is repeated on passing trouble
   * @returns one embedding for each text, all of one length, and the tokens that were read
   * @throws ModelTrouble, or the signal's reason
   */
  embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    options: { signal: AbortSignal; retries: number },
  ): Promise<{ vectors: number[][]; tokens: number }>
}

export type EmbeddingPurpose = 'document' | 'query'

/** What one call used; the cached tokens are part of the input tokens. */
export interface ModelUsage {
  inputTokens: number
  /** Read from the provider's cache. */
  cachedInputTokens: number
  /** Written to the provider's cache. */
  cacheWriteTokens: number
  outputTokens: number
}

/** How many tokens a model reads and writes in one call, both together. */
export interface ModelWindow {
  /** Undefined where nothing is known; then it is large. */
  tokens: number | undefined
  /** `trial`: a refusal told it, or a server that left out the beginning of a conversation. `list`: our list of prices. */
  source: 'setting' | 'server' | 'trial' | 'list' | 'assumed' | 'unknown'
}

/** How long a model is waited for, from the moment at which it is called, and how many calls it gets at once. */
export interface Patience {
  /** Milliseconds until the first piece of an answer, thinking included. */
  firstText: number
  /** Milliseconds for one answer to a reader. */
  answer: number
  /** Milliseconds for one answer to a job, which is long and comes in one piece. */
  step: number
  /** Undefined: as many as the server says that it can answer, or as many as there are. */
  calls: number | undefined
}

/** What calls of a model are for. */
export type Purpose = 'agent' | 'assistant' | 'enrichment' | 'check'

/** A call that failed, for the log. */
export interface FailedCallReport {
  model: string
  /** As metrics name it. */
  purpose: string
  /** Milliseconds that it took. */
  milliseconds: number
  /** Milliseconds that its caller would have waited for the first piece; undefined: no limit. */
  limit: number | undefined
  kind: string
  error: unknown
}

/** The models that a server offers, by their names as they stand in configuration, requests and jobs. */
export interface Models {
  /** The default model. */
  defaultModel: string
  /** The assistant's own default. */
  assistantModel: string
  /**
   * Finds a model by its name. Its calls are retried on passing trouble, and fail with a ModelTrouble or the
   * signal's reason.
   * @param purpose what metrics and traces count its calls under; `check` where none is given
   * @throws AppError `invalid` for a name that this server does not offer, with the variable to set
   */
  find(name: string, purpose?: Purpose): Model
  /**
   * Finds a model that turns texts into vectors, by its name.
   * @throws AppError `invalid` for a name that this server does not offer, with what to do
   */
  findEmbedder(name: string): Embedder
  /** How long a model is waited for. */
  patienceOf(name: string): Patience
  /** Lets those who call a model take turns. */
  turns: ModelTurns
  /** The name of the model that takes over while another one is away; undefined where there is none. */
  fallbackOf(name: string): string | undefined
  /** Millionths of a US dollar; undefined where no price is known. */
  costOf(name: string, usage: ModelUsage): number | undefined
  /**
   * How many tokens a model reads and writes in one call. Its server is asked at most every few minutes; never rejects.
   * @throws AppError `invalid` for a name that this server does not offer
   */
  readWindow(name: string): Promise<ModelWindow>
}
