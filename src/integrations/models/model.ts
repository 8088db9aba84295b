import type { LanguageModelV4 } from '@ai-sdk/provider'

/** The port: what the agent and the assistant call. The interface is the AI SDK's, so any of its providers fits. */
export type Model = LanguageModelV4

/**
 * Finds a model by its name as it stands in configuration, requests and jobs.
 * @throws AppError `invalid` for a name that this server does not offer
 */
export type FindModel = (name: string) => Model
