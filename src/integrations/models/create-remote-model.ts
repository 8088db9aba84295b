import {
  TypeValidationError,
  type LanguageModelV4CallOptions,
  type LanguageModelV4Content,
  type LanguageModelV4GenerateResult,
  type LanguageModelV4StreamPart,
  type LanguageModelV4StreamResult,
} from '@ai-sdk/provider'
import { endingSignal } from '../../lib/ending-signal.ts'
import { callOptions } from './call-options.ts'
import { readTerms } from './call-terms.ts'
import { ownError } from './classify-failure.ts'
import { isRecord } from '../../lib/is-record.ts'
import { toTrouble, type FailedCall } from './model-trouble.ts'
import type { ModelName } from './model-name.ts'
import type { Model } from './model.ts'
import type { Attempt } from './outages.ts'
import { createPacer, usualRetries, type Pacer, type Retries } from './retries.ts'
import { ModelTrouble } from './trouble.ts'
import { withoutThinking } from './without-thinking.ts'

type Stream = LanguageModelV4StreamResult['stream']

/**
 * A model of a provider, whose package is loaded at the first call. This function retries calls itself, so the SDK
 * never does: it throws a ModelTrouble, or the reason of the caller's signal. A caller that gives up because the
 * model is late also aborts with a ModelTrouble.
 * What else callers say about a call stands in `CallTerms`.
 * @param begin called before each call, and told how it went; throws where no call should be made
 */
export function createRemoteModel(
  name: ModelName,
  load: () => Promise<Model>,
  about: Omit<FailedCall, 'name'>,
  begin: () => Attempt,
  retries: Retries = usualRetries,
): Model {
  let loading: Promise<Model> | undefined
  const loaded = (): Promise<Model> => (loading ??= load())
  const trouble = (error: unknown): ModelTrouble =>
    toTrouble(error, { ...about, name: `${name.provider}:${name.id}` })
  return {
    specificationVersion: 'v4',
    provider: name.provider,
    modelId: name.id,
    supportedUrls: {},
    async doGenerate(options) {
      const signal = options.abortSignal ?? new AbortController().signal
      const model = await loaded()
      const call = callOptions(name, options)
      using attempt = begin()
      const pacer = createPacer(retries, signal, readTerms(options))
      const result = await persist(pacer, { trouble, attempt }, async () =>
        whole(await thinkingAside(call, (given) => model.doGenerate(given))),
      )
      attempt.succeeded()
      // The SDK would print warnings, which hold pieces of the conversation.
      return { ...result, content: withOwnIds(result.content), warnings: [] }
    },
    async doStream(options) {
      const calling = endingSignal({ signals: [options.abortSignal] })
      const { signal } = calling
      using opening = new DisposableStack()
      opening.use(calling)
      const model = await loaded()
      const call = { ...callOptions(name, options), abortSignal: signal }
      const terms = readTerms(options)
      const { once } = terms
      const attempt = once ? unreported(begin()) : begin()
      const pacer = createPacer(once ? { ...retries, tries: 1 } : retries, signal, terms)
      const open = (): Promise<LanguageModelV4StreamResult> =>
        persist(pacer, { trouble, attempt }, () => thinkingAside(call, (given) => model.doStream(given)))
      const result = await open()
      // From now on the stream ends the call.
      opening.move()
      const stream = reopening(result.stream, {
        reopen: async (error) => ((await pacer.wait(error)) ? (await open()).stream : undefined),
        trouble: (error) => note(attempt, signal.aborted ? signal.reason : trouble(error)),
        onBegin: () => attempt.succeeded(),
        onEnd: () => {
          attempt[Symbol.dispose]()
          calling[Symbol.dispose]()
        },
        onCancel: () => {
          note(attempt, signal.reason)
          calling[Symbol.dispose]()
        },
      })
      return { ...result, stream }
    },
  }
}

async function thinkingAside<T>(
  options: LanguageModelV4CallOptions,
  call: (options: LanguageModelV4CallOptions) => PromiseLike<T>,
): Promise<T> {
  try {
    return await call(options)
  } catch (error) {
    const plain = withoutThinking(error, options)
    if (plain === undefined) throw error
    return call(plain)
  }
}

async function persist<T>(
  pacer: Pacer,
  { trouble, attempt }: { trouble: (error: unknown) => ModelTrouble; attempt: Attempt },
  call: () => PromiseLike<T>,
): Promise<T> {
  try {
    for (;;) {
      try {
        return await call()
      } catch (error) {
        if (!(await pacer.wait(error))) throw trouble(error)
      }
    }
  } catch (error) {
    throw note(attempt, error)
  }
}

/** @throws an error that says that the conversation left no room for the answer, so that it is shortened */
function whole<Result extends LanguageModelV4GenerateResult>(result: Result): Result {
  if (result.finishReason.raw !== 'model_context_window_exceeded') return result
  throw Object.assign(new Error('The answer did not fit into the context window'), { statusCode: 400 })
}

/** The SDK confuses calls with the same id: it would run one of them twice and the other never. */
function withOwnIds(content: LanguageModelV4Content[]): LanguageModelV4Content[] {
  const used = new Set<string>()
  return content.map((part, index) => {
    if (part.type !== 'tool-call') return part
    const toolCallId = used.has(part.toolCallId) ? `${part.toolCallId}_${index}` : part.toolCallId
    used.add(toolCallId)
    return { ...part, toolCallId }
  })
}

/** A call that the caller gave up tells nothing about the model. */
function note(attempt: Attempt, error: unknown): unknown {
  if (error instanceof ModelTrouble) attempt.failed(error)
  else attempt[Symbol.dispose]()
  return error
}

/** Of a call that an answer does not need: its failure must not send the call after it to another model. */
function unreported(attempt: Attempt): Attempt {
  return { ...attempt, failed: () => attempt[Symbol.dispose]() }
}

/** A stream that starts again when it fails before its first piece: some providers report overload only there. */
function reopening(
  first: Stream,
  {
    reopen,
    trouble,
    onBegin,
    onEnd,
    onCancel,
  }: {
    reopen(error: unknown): Promise<Stream | undefined>
    trouble(error: unknown): unknown
    onBegin(): void
    onEnd(): void
    onCancel(): void
  },
): Stream {
  let reader = first.getReader()
  let started = false
  let brought = false
  return new ReadableStream<LanguageModelV4StreamPart>({
    async pull(controller) {
      for (;;) {
        const { part, thrown } = await readPart(reader)
        if (part === undefined) {
          onEnd()
          return controller.close()
        }
        if (part.type === 'error') {
          const next = brought ? undefined : await reopen(part.error)
          if (!next) {
            if (thrown) throw trouble(part.error)
            return controller.enqueue({ type: 'error', error: trouble(part.error) })
          }
          void reader.cancel().catch(() => undefined)
          reader = next.getReader()
        } else if (part.type === 'stream-start') {
          if (started) continue
          started = true
          return controller.enqueue({ ...part, warnings: [] })
        } else {
          if (!brought && part.type !== 'response-metadata' && part.type !== 'raw') {
            brought = true
            onBegin()
          }
          return controller.enqueue(part)
        }
      }
    },
    cancel(reason) {
      onCancel()
      // The stream may have failed already.
      return reader.cancel(reason).catch(() => undefined)
    },
  })
}

async function readPart(
  reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>,
): Promise<{ part: LanguageModelV4StreamPart | undefined; thrown?: boolean }> {
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return { part: undefined }
      if (value.type === 'finish' && value.finishReason.unified === 'interrupted')
        return { part: { type: 'error', error: brokenOff() } }
      if (value.type !== 'error' || !isNews(value.error)) return { part: value }
    }
  } catch (error) {
    return { part: { type: 'error', error }, thrown: true }
  }
}

/** An event of a kind that the package does not know yet, which providers ask to ignore. */
function isNews(error: unknown): boolean {
  return TypeValidationError.isInstance(error) && isRecord(error.value) && ownError(error.value) === undefined
}

function brokenOff(): Error {
  return Object.assign(new Error('The answer ended early'), { code: 'ECONNRESET' })
}
