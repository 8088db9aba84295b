import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type { Model } from '../model.ts'
import { answerQuestion } from './answers/answer-question.ts'
import { runJob } from './jobs/run-job.ts'
import { readTranscript } from './transcript.ts'

/**
 * The model that needs no key: deterministic and without state of its own. With the tool `finish` it does a
 * job of its documented list, otherwise it answers a question from search results in their own words.
 */
export function createBuiltinModel(): Model {
  return {
    specificationVersion: 'v4',
    provider: 'docwright',
    modelId: 'builtin',
    supportedUrls: {},
    doGenerate: async (options) => generate(options),
    doStream: async (options) => {
      const { content, finishReason, usage } = generate(options)
      const parts = streamParts(content)
      return { stream: streamOf([...parts, { type: 'finish', finishReason, usage }], options.abortSignal) }
    },
  }
}

function generate(options: LanguageModelV4CallOptions): LanguageModelV4GenerateResult {
  options.abortSignal?.throwIfAborted()
  const content = contentFor(options)
  const calls = content.some((part) => part.type === 'tool-call')
  const input = tokens(charactersIn(options.prompt))
  const output = tokens(charactersIn(content))
  return {
    content,
    finishReason: { unified: calls ? 'tool-calls' : 'stop', raw: undefined },
    usage: {
      inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: output, text: output, reasoning: 0 },
    },
    warnings: [],
  }
}

function contentFor(options: LanguageModelV4CallOptions): LanguageModelV4Content[] {
  const transcript = readTranscript(options.prompt)
  const tools = new Set(options.toolChoice?.type === 'none' ? [] : options.tools?.map((tool) => tool.name))
  if (tools.has('finish')) return runJob(transcript)
  return answerQuestion(transcript, tools.has('search'))
}

/** Nothing is counted by a vendor here: four characters stand for a token. */
function tokens(characters: number): number {
  return Math.ceil(characters / 4)
}

function charactersIn(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null || depth > 30) return 4
  let characters = 0
  for (const inner of Object.values(value)) characters += charactersIn(inner, depth + 1)
  return characters
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
