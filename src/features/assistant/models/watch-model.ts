import { wrapLanguageModel } from 'ai'
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type { Model, ModelUsage } from '../../../integrations/models/model.ts'
import { mapStream } from '../../../lib/map-stream.ts'
import { ModelTrouble } from '../../../integrations/models/trouble.ts'
import { patienceVariables } from '../../../integrations/models/patience.ts'
import { readTerms, withTerms, type CallTask } from '../../../integrations/models/call-terms.ts'
import type { Deadlines, NamedModel } from '../ports.ts'

/** A model whose calls are counted and do not hang. */
export interface WatchedModel {
  model: Model
  /** The usage of every call so far, estimated where the provider could not report it. */
  usage(): ModelUsage[]
  /** Every call so far, also those that were refused. */
  calls(): readonly WatchedCall[]
  /** Aborted when a call went over a deadline. */
  late: AbortSignal
  /** Ignores the call under way. */
  [Symbol.dispose](): void
}

/** Times are those of `performance.now()`. */
interface WatchedCall {
  usage: ModelUsage
  begun: number
  /** When the first piece came. */
  first: number | undefined
  ended: number | undefined
  /** A refused call costs nothing. */
  refused: boolean
  /** The tools that it asked for. */
  tools: { name: string; input: string }[]
}

export function watchModel(
  { name, model }: Pick<NamedModel, 'name' | 'model'>,
  deadlines: Pick<Deadlines, 'firstToken' | 'call'>,
  task?: CallTask,
): WatchedModel {
  const late = new AbortController()
  const calls: WatchedCall[] = []
  let timers: NodeJS.Timeout[] = []
  const expire = (words: string, milliseconds: number, variable: string): void =>
    late.abort(
      new ModelTrouble(
        'timeout',
        `${name} ${words} within ${milliseconds / 1000} s: try again later, or raise ${variable} if it is only slow`,
      ),
    )
  const stop = (): void => {
    for (const timer of timers) clearTimeout(timer)
    timers = []
  }
  const watched = wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      transformParams: ({ params }) =>
        Promise.resolve({
          ...params,
          providerOptions: {
            ...params.providerOptions,
            ...withTerms({
              ...readTerms(params),
              patience: deadlines.firstToken,
              pauses: Math.min(deadlines.firstToken, longestPause),
              ...(task && { task }),
            }),
          },
        }),
      async wrapStream({ doStream, params }) {
        stop()
        const { firstToken, call: longest } = deadlines
        timers = [
          setTimeout(() => expire('began no answer', firstToken, patienceVariables.firstText), firstToken),
          setTimeout(() => expire('did not end its answer', longest, patienceVariables.answer), longest),
        ]
        const call: WatchedCall = {
          usage: estimateOf(params),
          begun: performance.now(),
          first: undefined,
          ended: undefined,
          refused: false,
          tools: [],
        }
        calls.push(call)
        try {
          const result = await doStream()
          const onFirst = (): void => clearTimeout(timers[0])
          const onEnd = (): void => {
            call.ended = performance.now()
            stop()
          }
          return { ...result, stream: countParts(result.stream, call, onFirst, onEnd) }
        } catch (error) {
          call.ended = performance.now()
          stop()
          // A refused call costs nothing. A call that was given up may have been worked on.
          call.refused = params.abortSignal?.aborted !== true
          throw error
        }
      },
    },
  })
  return {
    model: watched,
    usage: () => calls.filter(({ refused }) => !refused).map(({ usage }) => usage),
    calls: () => calls,
    late: late.signal,
    [Symbol.dispose]: stop,
  }
}

/** Milliseconds between tries that a reader waits for: a model that reads for long is worth it, a pause is not. */
const longestPause = 10_000

/** Characters of a tool's input that are kept to be shown. */
const longestInput = 1000

type Parts = ReadableStream<LanguageModelV4StreamPart>

function countParts(parts: Parts, call: WatchedCall, onFirst: () => void, onEnd: () => void): Parts {
  let characters = 0
  let asksTools = false
  let ended = false
  return mapStream(
    parts,
    (part) => {
      if (signs.has(part.type)) {
        call.first ??= performance.now()
        onFirst()
      }
      if ('delta' in part) characters += part.delta.length
      call.usage.outputTokens = tokensIn(characters)
      if (part.type === 'tool-call') {
        asksTools = true
        call.tools.push({ name: part.toolName, input: part.input.slice(0, longestInput) })
      }
      ended ||= part.type === 'finish' || part.type === 'error'
      if (part.type === 'finish') Object.assign(call.usage, known(part.usage, call.usage))
      return part.type === 'finish' ? judgeFinish(part, asksTools) : part
    },
    () => {
      onEnd()
      return ended ? undefined : brokenOff
    },
  )
}

function judgeFinish(
  part: LanguageModelV4StreamPart & { type: 'finish' },
  asksTools: boolean,
): LanguageModelV4StreamPart {
  const { unified, raw } = part.finishReason
  if (unified !== 'other') return part
  // The SDK reports this when the connection ended before the answer did.
  if (raw === undefined) return brokenOff
  // A server's own word for the reason. Without this, the tools would not run.
  return asksTools ? { ...part, finishReason: { unified: 'tool-calls', raw } } : part
}

const signs = new Set<LanguageModelV4StreamPart['type']>([
  'text-start',
  'text-delta',
  'reasoning-start',
  'reasoning-delta',
  'tool-input-start',
  'tool-call',
  'finish',
  'error',
])

const brokenOff: LanguageModelV4StreamPart = {
  type: 'error',
  error: new Error('The provider ended its answer early'),
}

function estimateOf({ prompt, tools }: LanguageModelV4CallOptions): ModelUsage {
  // An image costs far less than its bytes as text.
  const written = JSON.stringify([prompt, tools], (key, value: unknown) => (key === 'data' ? '' : value))
  const inputTokens = tokensIn(written.length)
  return { inputTokens, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }
}

function known({ inputTokens, outputTokens }: LanguageModelV4Usage, estimate: ModelUsage): ModelUsage {
  return {
    inputTokens: inputTokens.total ?? estimate.inputTokens,
    cachedInputTokens: inputTokens.cacheRead ?? 0,
    cacheWriteTokens: inputTokens.cacheWrite ?? 0,
    outputTokens: outputTokens.total ?? estimate.outputTokens,
  }
}

function tokensIn(characters: number): number {
  return Math.ceil(characters / 4)
}
