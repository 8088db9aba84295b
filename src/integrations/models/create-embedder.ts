import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import { endingSignal } from '../../lib/ending-signal.ts'
import type { Embedder, EmbeddingPurpose } from './model.ts'
import type { ModelName } from './model-name.ts'
import { toTrouble, type FailedCall } from './model-trouble.ts'
import { ModelTrouble } from './trouble.ts'

const mostDimensions = 8192
/** Milliseconds for the vectors of some sections, tries included: a server that never answers must not hold the rest. */
const longestCall = 600_000

export function createEmbedder(
  name: ModelName,
  load: () => Promise<EmbeddingModelV4>,
  about: Omit<FailedCall, 'name'>,
): Embedder {
  let loading: Promise<EmbeddingModelV4> | undefined
  return {
    async embed(texts, purpose, { signal, retries }) {
      const { embedMany } = await import('ai')
      using limited = endingSignal({ signals: [signal], milliseconds: longestCall })
      try {
        const { embeddings, usage } = await embedMany({
          model: await (loading ??= load()),
          values: texts.map((text) => prefixOf(name, purpose) + text),
          ...optionsOf(name, purpose),
          maxRetries: retries,
          maxParallelCalls: 2,
          abortSignal: limited.signal,
        })
        const read = usage.tokens
        const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
        return {
          vectors: checked(embeddings, texts.length),
          // Some servers do not count.
          tokens: Number.isFinite(read) && read > 0 ? Math.ceil(read) : Math.ceil(bytes / 4),
        }
      } catch (error) {
        signal.throwIfAborted()
        throw toTrouble(error, { ...about, name: `${name.provider}:${name.id}` })
      }
    },
  }
}

function checked(vectors: number[][], count: number): number[][] {
  const length = vectors[0]?.length ?? 0
  const isWhole = (vector: unknown): boolean =>
    Array.isArray(vector) && vector.length === length && vector.every((value) => Number.isFinite(value))
  if (vectors.length === count && length > 0 && length <= mostDimensions && vectors.every(isWhole))
    return vectors
  throw new ModelTrouble('answer', 'The model answered with something other than one embedding for each text')
}

function optionsOf({ provider, id }: ModelName, purpose: EmbeddingPurpose) {
  // Vectors of these models can be cut without a loss that matters, and shorter ones are searched faster.
  const dimensions = id.includes('text-embedding-3-')
    ? 1024
    : id.includes('gemini-embedding-')
      ? 768
      : undefined
  const taskType = purpose === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT'
  return {
    ...(dimensions !== undefined && { dimensions }),
    ...(provider === 'google' && { providerOptions: { google: { taskType } } }),
  }
}

/** Open models are told by words before the text what it is, as their makers say. */
function prefixOf({ id }: ModelName, purpose: EmbeddingPurpose): string {
  const name = id.toLowerCase()
  if (name.includes('nomic-embed')) return purpose === 'query' ? 'search_query: ' : 'search_document: '
  if (/(?:^|[/-])e5-/.test(name)) return purpose === 'query' ? 'query: ' : 'passage: '
  const isInstructed = /mxbai-embed|arctic-embed|bge-(?:small|base|large)-en/.test(name)
  return purpose === 'query' && isInstructed
    ? 'Represent this sentence for searching relevant passages: '
    : ''
}
