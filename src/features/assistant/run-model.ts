import { isStepCount, streamText, toUIMessageStream } from 'ai'
import type { ModelMessage, UIMessageChunk } from 'ai'
import type { Model } from '../../integrations/models/model.ts'
import type { SearchTool } from './search-tool.ts'

export interface Run {
  model: Model
  instructions: string
  messages: ModelMessage[]
  search: SearchTool
  signal: AbortSignal
  /** Milliseconds for one call of the model with its searches. */
  stepDeadline: number
  onError(error: unknown): void
}

const mostSteps = 3
const mostOutputTokens = 8000

/** What clients are told of failures that only the server's operator can do something about. */
export const failureText = 'The assistant could not finish this answer; try again in a moment'

/**
 * Runs the model with the search, the last step without it, so that there is always text.
 * Ends quietly when `signal` is aborted, even if the model does not listen to it.
 */
export async function* runModel(run: Run): AsyncGenerator<UIMessageChunk> {
  const { model, instructions, messages, search, signal, stepDeadline, onError } = run
  // Reading may end early, and nobody else would tell the model then.
  const ended = new AbortController()
  const result = streamText({
    model,
    instructions,
    messages,
    tools: { search },
    stopWhen: isStepCount(mostSteps),
    prepareStep: ({ stepNumber }) => (stepNumber < mostSteps - 1 ? {} : { activeTools: [] }),
    maxOutputTokens: mostOutputTokens,
    abortSignal: AbortSignal.any([signal, ended.signal]),
    timeout: { stepMs: stepDeadline },
    onError: ({ error }) => onError(error),
  })
  const stream = toUIMessageStream({
    stream: result.stream,
    sendStart: false,
    sendFinish: false,
    sendReasoning: false,
    onError: () => failureText,
  })
  try {
    yield* readUntilAborted(stream, signal)
  } finally {
    ended.abort()
  }
}

async function* readUntilAborted<T>(stream: ReadableStream<T>, signal: AbortSignal): AsyncGenerator<T> {
  const reader = stream.getReader()
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  try {
    for (;;) {
      const read = await Promise.race([reader.read(), aborted])
      if (!read || read.done || signal.aborted) return
      yield read.value
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}
