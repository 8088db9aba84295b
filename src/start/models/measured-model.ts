import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider'
import { readTerms } from '../../integrations/models/call-terms.ts'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type {
  Embedder,
  FailedCallReport,
  Model,
  Models,
  ModelUsage,
  Purpose,
} from '../../integrations/models/model.ts'
import { ModelTrouble } from '../../integrations/models/trouble.ts'
import { mapStream } from '../../lib/map-stream.ts'
import { beginSpan, inSpan, kindOfError, type Span, type SpanValues } from '../../lib/trace.ts'

/** What calls are counted under. */
export interface CalledModel {
  /** As it stands in configuration. */
  name: string
  provider: string
  id: string
  purpose: Purpose
  costOf: Models['costOf']
  onFailure?: ((failed: FailedCallReport) => void) | undefined
}

/** A model with a span for each call. The names of values are those of OpenTelemetry's conventions for models. */
export function measuredModel(model: Model, called: CalledModel): Model {
  return {
    ...model,
    doGenerate: (options) => {
      const began = performance.now()
      return inSpan('chat', valuesOf('chat', called, options), async (span) => {
        try {
          const result = await model.doGenerate(options)
          setResult(span, called, result)
          return result
        } catch (error) {
          setTrouble(span, error, options.abortSignal)
          report(called, error, options, began)
          throw error
        }
      })
    },
    async doStream(options) {
      const span = beginSpan('chat', { ...valuesOf('chat', called, options), 'gen_ai.request.stream': true })
      const began = performance.now()
      let isSilent = true
      let isOpen = true
      const end = (): undefined => {
        if (isOpen) span.end()
        isOpen = false
        return undefined
      }
      const fail = (error: unknown): void => {
        if (isOpen) {
          setTrouble(span, error, options.abortSignal)
          report(called, error, options, began)
        }
        end()
      }
      try {
        const { stream, ...rest } = await span.within(async () => model.doStream(options))
        const measured = mapStream(
          stream,
          (part) => {
            if (isSilent && part.type !== 'stream-start') {
              isSilent = false
              span.set({ 'gen_ai.response.time_to_first_chunk': (performance.now() - began) / 1000 })
            }
            // What comes after either of them says nothing more.
            if (part.type === 'error') fail(part.error)
            if (part.type === 'finish' && isOpen) {
              setResult(span, called, part)
              end()
            }
            return part
          },
          end,
          fail,
        )
        return { ...rest, stream: measured }
      } catch (error) {
        fail(error)
        throw error
      }
    },
  }
}

/** The same for a model that makes vectors. */
export function measuredEmbedder(embedder: Embedder, called: CalledModel): Embedder {
  return {
    embed: (texts, purpose, options) =>
      inSpan('embeddings', valuesOf('embeddings', called), async (span) => {
        try {
          const embeddings = await embedder.embed(texts, purpose, options)
          const usage = {
            inputTokens: embeddings.tokens,
            cachedInputTokens: 0,
            cacheWriteTokens: 0,
            outputTokens: 0,
          }
          setUsage(span, called, usage)
          return embeddings
        } catch (error) {
          setTrouble(span, error, options.signal)
          throw error
        }
      }),
  }
}

/** A purpose in more words where the call is not the answer itself: `assistant-queries`, `assistant-sources`. */
function purposeOf(
  { purpose }: CalledModel,
  options: Pick<LanguageModelV4CallOptions, 'providerOptions'>,
): string {
  const { task } = readTerms(options)
  return task === undefined ? purpose : `${purpose}-${task}`
}

function report(
  called: CalledModel,
  error: unknown,
  options: Pick<LanguageModelV4CallOptions, 'providerOptions' | 'abortSignal'>,
  began: number,
): void {
  const reason = reasonOf(error, options.abortSignal)
  if (isLeft(reason, options.abortSignal) || (reason instanceof ModelTrouble && reason.isKnown)) return
  called.onFailure?.({
    model: called.name,
    purpose: purposeOf(called, options),
    milliseconds: Math.round(performance.now() - began),
    limit: readTerms(options).patience,
    kind: kindOfError(reason),
    error: reason,
  })
}

function valuesOf(
  operation: string,
  called: CalledModel,
  options: Pick<LanguageModelV4CallOptions, 'providerOptions'> = {},
): SpanValues {
  const { provider, id } = called
  return {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': wellKnown[provider] ?? provider,
    'gen_ai.request.model': id,
    'docwright.purpose': purposeOf(called, options),
  }
}

const wellKnown: Record<string, string> = { google: 'gcp.gemini', 'openai-chat': 'openai' }

function setResult(
  span: Span,
  called: CalledModel,
  result: { usage: LanguageModelV4Usage; finishReason: LanguageModelV4FinishReason },
): void {
  const { inputTokens, outputTokens } = result.usage
  span.set({ 'gen_ai.response.finish_reasons': [result.finishReason.unified] })
  // Some servers do not count.
  if (inputTokens.total === undefined && outputTokens.total === undefined) return
  setUsage(span, called, {
    inputTokens: inputTokens.total ?? 0,
    cachedInputTokens: inputTokens.cacheRead ?? 0,
    cacheWriteTokens: inputTokens.cacheWrite ?? 0,
    outputTokens: outputTokens.total ?? 0,
  })
}

function setUsage(span: Span, { name, costOf }: CalledModel, usage: ModelUsage): void {
  const cost = costOf(name, usage)
  span.set({
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cachedInputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
    ...(cost !== undefined && { 'docwright.cost': cost / 1e6 }),
  })
}

// A caller that gives up because the model is late aborts with a ModelTrouble, others because nobody reads any longer.
function setTrouble(span: Span, error: unknown, signal: AbortSignal | undefined): void {
  const reason = reasonOf(error, signal)
  span.set({ 'error.type': isLeft(reason, signal) ? 'aborted' : kindOfError(reason) })
}

function reasonOf(error: unknown, signal: AbortSignal | undefined): unknown {
  return signal?.aborted === true ? signal.reason : error
}

function isLeft(reason: unknown, signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && !(reason instanceof ModelTrouble)
}
