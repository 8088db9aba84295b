import {
  isStepCount,
  streamText,
  toUIMessageStream,
  type FinishReason,
  type ModelMessage,
  type ProviderMetadata,
  type ToolSet,
  type UIMessageChunk,
} from 'ai'
import { endingSignal } from '../../../lib/ending-signal.ts'
import { AppError } from '../../../lib/errors.ts'
import type { WatchedModel } from './watch-model.ts'

export interface Run {
  watched: WatchedModel
  instructions: string
  messages: ModelMessage[]
  tools: ToolSet
  /** Calls at most, the last one without tools. */
  steps: number
  /** Tokens of one call. */
  mostOutput?: number | undefined
  signal: AbortSignal
  onError(error: unknown): void
}

/** What a model wrote in all its steps, to go on from, and what it tells beside its text. */
export interface Written {
  messages: ModelMessage[]
  metadata: ProviderMetadata | undefined
}

/** How a run ended; `late`: over a deadline, `aborted`: by the caller's signal. */
export type Ending =
  | { kind: 'done'; reason: FinishReason; written: Written | undefined }
  | { kind: 'failed'; error?: unknown }
  | { kind: 'late' | 'aborted' }

const mostOutputTokens = 8000

/** What clients are told about failures that only the server's operator can mend. */
export const failureText = 'The assistant couldn’t complete this answer. Try again in a moment'

/**
 * Runs the model with its tools, which the last step may not use, so that there is always text.
 * Ends quietly on a failure, a deadline or the signal, even if the model does not listen to it.
 */
export async function* runModel(run: Run): AsyncGenerator<UIMessageChunk, Ending> {
  const { watched, instructions, messages, tools, steps, signal, onError } = run
  // Reading may end early, and then nothing else would stop the model.
  using running = endingSignal({ signals: [signal, watched.late] })
  const runSignal = running.signal
  let written: Written | undefined
  let failure: unknown
  const result = streamText({
    model: watched.model,
    instructions,
    messages,
    tools,
    stopWhen: isStepCount(steps),
    // They stay in the request, which begins like the one before it: providers have read that already.
    prepareStep: ({ stepNumber }) => (stepNumber < steps - 1 ? {} : { toolChoice: 'none' }),
    maxOutputTokens: run.mostOutput ?? mostOutputTokens,
    // Models retry themselves.
    maxRetries: 0,
    abortSignal: runSignal,
    onError: ({ error }) => {
      failure = error
      onError(error)
    },
    onEnd: ({ responseMessages, finalStep }) => {
      written = { messages: responseMessages, metadata: finalStep.providerMetadata }
    },
  })
  const stream = toUIMessageStream({
    stream: result.stream,
    sendStart: false,
    sendReasoning: false,
    onError: (error) => (error instanceof AppError ? error.message : failureText),
  })
  try {
    let reason: FinishReason = 'other'
    for await (const chunk of readUntilAborted(stream, runSignal)) {
      if (chunk.type === 'error') return { kind: 'failed', error: failure }
      if (chunk.type === 'abort') break
      if (chunk.type === 'finish') reason = chunk.finishReason ?? reason
      else yield chunk
    }
    if (signal.aborted) return { kind: 'aborted' }
    return watched.late.aborted ? { kind: 'late' } : { kind: 'done', reason, written }
  } catch (error) {
    onError(error)
    return { kind: 'failed', error }
  } finally {
    watched[Symbol.dispose]()
  }
}

async function* readUntilAborted<T>(stream: ReadableStream<T>, signal: AbortSignal): AsyncGenerator<T> {
  const reader = stream.getReader()
  // Ends the read under way at once, even if the model ignores the signal.
  const cancel = (): void => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}
