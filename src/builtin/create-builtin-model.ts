import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { createTextThread, ThreadFailure, type TextThread } from '../lib/threads/text-thread.ts'
import type { Model } from '../integrations/models/model.ts'
import type { BuiltinTask, BuiltinThread } from './builtin.worker.ts'

const module = new URL('builtin.worker.ts', import.meta.url)
// Two threads for the whole process, so that a job's request does not delay questions.
const jobs = createTextThread<BuiltinThread>(module, { deadline: 10_000, memory: 512 })
const questions = createTextThread<BuiltinThread>(module, { deadline: 3000, memory: 256, idle: 600_000 })

/**
 * The model that needs no API key: deterministic and stateless. With the tool `finish` it runs a job of its
 * documented list; otherwise it answers a question with quotes from search results, and says in its provider metadata
 * (`docwright`) what became of it and what the documentation does not mention.
 */
export function createBuiltinModel(): Model {
  const generate = async (options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> => {
    const tools = options.toolChoice?.type === 'none' ? [] : (options.tools ?? []).map(({ name }) => name)
    const isJob = tools.includes('finish')
    const { prompt, abortSignal } = options
    const task = { prompt, tools }
    const { content, judgement, input, output } = await read(isJob ? jobs : questions, task, abortSignal)
    return {
      content,
      finishReason: {
        unified: content.some((part) => part.type === 'tool-call') ? 'tool-calls' : 'stop',
        raw: undefined,
      },
      usage: {
        inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: output, text: output, reasoning: 0 },
      },
      ...(judgement ? { providerMetadata: { docwright: judgement } } : {}),
      warnings: [],
    }
  }
  return {
    specificationVersion: 'v4',
    provider: 'docwright',
    modelId: 'builtin',
    supportedUrls: {},
    doGenerate: generate,
    doStream: async (options) => {
      const { content, warnings: _, ...finish } = await generate(options)
      const parts = streamParts(content)
      return { stream: streamOf([...parts, { type: 'finish', ...finish }], options.abortSignal) }
    },
  }
}

const tooMuch =
  'This is more than the built-in model can read in the time that it has: make it shorter and simpler, or set a model'

async function read(
  thread: TextThread<BuiltinThread>,
  task: BuiltinTask,
  signal: AbortSignal | undefined,
): Promise<BuiltinThread['answer']> {
  try {
    return await thread.run(task, { signal })
  } catch (error) {
    if (!(error instanceof ThreadFailure)) throw error
    const finish = {
      title: 'The request was not understood',
      summary: tooMuch,
      noChange: true,
      notUnderstood: true,
    }
    const content: LanguageModelV4Content = task.tools.includes('finish')
      ? { type: 'tool-call', toolCallId: 'too-much', toolName: 'finish', input: JSON.stringify(finish) }
      : { type: 'text', text: `${tooMuch}.` }
    return { content: [content], input: 0, output: 0 }
  }
}

function streamParts(content: readonly LanguageModelV4Content[]): LanguageModelV4StreamPart[] {
  const parts: LanguageModelV4StreamPart[] = [{ type: 'stream-start', warnings: [] }]
  content.forEach((part, index) => {
    if (part.type === 'text') {
      const id = `text-${index}`
      parts.push({ type: 'text-start', id })
      for (const delta of part.text.match(/\s*\S+(?:\s+$)?|\s+/g) ?? []) {
        parts.push({ type: 'text-delta', id, delta })
      }
      parts.push({ type: 'text-end', id })
    } else if (part.type === 'tool-call') {
      const { toolCallId: id, toolName } = part
      parts.push({ type: 'tool-input-start', id, toolName })
      parts.push({ type: 'tool-input-delta', id, delta: part.input })
      parts.push({ type: 'tool-input-end', id }, part)
    }
  })
  return parts
}

function streamOf(
  parts: readonly LanguageModelV4StreamPart[],
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  let next = 0
  return new ReadableStream({
    pull: (controller) => {
      if (signal?.aborted === true) {
        controller.error(signal.reason)
        return
      }
      const part = parts[next++]
      if (part) controller.enqueue(part)
      else controller.close()
    },
  })
}
