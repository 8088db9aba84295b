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
import type { Model } from '../../../integrations/models/model.ts'
import type { WatchedModel } from './watch-model.ts'

export interface Run {
  watched: WatchedModel
  instructions: string
  messages: ModelMessage[]
  tools: ToolSet
  /** Calls at most, the last one without tools. */
  steps: number
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
  | { kind: 'failed' | 'late' | 'aborted' }

const mostOutputTokens = 8000

/** What clients are told about failures that only the server's operator can mend. */
export const failureText = 'The assistant could not finish this answer; try again in a moment'

/**
 * Runs the model with its tools, which the last step may not use, so that there is always text.
 * Ends quietly on a failure, a deadline or the signal, even if the model does not listen to it.
 */
export async function* runModel(run: Run): AsyncGenerator<UIMessageChunk, Ending> {
  const { watched, instructions, messages, tools, steps, signal, onError } = run
  // Reading may end early, and then nothing else would stop the model.
  using running = endingSignal({ signals: [signal, watched.late] })
  const given = running.signal
  let written: Written | undefined
  const result = streamText({
    model: watched.model,
    instructions,
    messages,
    tools,
    stopWhen: isStepCount(steps),
    prepareStep: ({ stepNumber }) => (stepNumber < steps - 1 ? {} : withoutTools(watched.model)),
    maxOutputTokens: mostOutputTokens,
    // Models retry themselves.
    maxRetries: 0,
    abortSignal: given,
    onError: ({ error }) => onError(error),
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
    for await (const chunk of readUntilAborted(stream, given)) {
      if (chunk.type === 'error') return { kind: 'failed' }
      if (chunk.type === 'abort') break
      if (chunk.type === 'finish') reason = chunk.finishReason ?? reason
      else yield chunk
    }
    if (signal.aborted) return { kind: 'aborted' }
    return watched.late.aborted ? { kind: 'late' } : { kind: 'done', reason, written }
  } catch (error) {
    onError(error)
    return { kind: 'failed' }
  } finally {
    watched[Symbol.dispose]()
  }
}

// Anthropic refuses calls of tools in a conversation where none are defined; others may still call what is defined.
function withoutTools({ provider, modelId }: Model): { toolChoice: 'none' } | { activeTools: [] } {
  return /anthropic|claude/i.test(`${provider} ${modelId}`) ? { toolChoice: 'none' } : { activeTools: [] }
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
