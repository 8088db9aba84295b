import type { LanguageModelV4CallOptions, SharedV4ProviderOptions } from '@ai-sdk/provider'

/** What a caller says about its call beside the options of the AI SDK. */
export interface CallTerms {
  /** It is not retried, and its failure is not held against the model. */
  once?: true
  /** Milliseconds for which the caller waits for the first piece. */
  patience?: number
  /** Milliseconds that it lets pass between tries, in all. */
  pauses?: number
  /** Of the calls for one answer, the one that this is, when it is not the answer itself. */
  task?: CallTask
}

export type CallTask = 'queries' | 'sources'

/** As a provider option, which the packages of providers pass over. */
export function withTerms(terms: CallTerms): SharedV4ProviderOptions {
  const { once, patience, pauses, task } = terms
  return {
    docwright: {
      ...(once && { once }),
      ...(patience !== undefined && { patience }),
      ...(pauses !== undefined && { pauses }),
      ...(task !== undefined && { task }),
    },
  }
}

export function readTerms({
  providerOptions,
}: Pick<LanguageModelV4CallOptions, 'providerOptions'>): CallTerms {
  const { once, patience, pauses, task } = providerOptions?.['docwright'] ?? {}
  return {
    ...(once === true && { once }),
    ...(typeof patience === 'number' && { patience }),
    ...(typeof pauses === 'number' && { pauses }),
    ...((task === 'queries' || task === 'sources') && { task }),
  }
}
