import type { Model, Models } from '../../integrations/models/model.ts'
import type { LanguageModelV4CallOptions, LanguageModelV4Content } from '@ai-sdk/provider'
import { MockLanguageModelV4 } from 'ai/test'

export interface Asked {
  /** The turn's own prompt. */
  prompt: string
  /** How many answers the model has given in this turn. */
  step: number
  options: LanguageModelV4CallOptions
}

export type Answer = string | [tool: string, input: unknown][]

/** For tests: answers from what it is told alone, so that it says the same again after a restart. */
export function scriptedModel(script: (asked: Asked) => Answer | Promise<Answer>): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doGenerate: async (options) => {
      const { prompt, step } = readPrompt(options)
      const answer = await script({ prompt, step, options })
      const content: LanguageModelV4Content[] =
        typeof answer === 'string'
          ? [{ type: 'text', text: answer }]
          : answer.map(([toolName, input], index) => ({
              type: 'tool-call',
              toolCallId: `call-${step}-${index}`,
              toolName,
              input: typeof input === 'string' ? input : JSON.stringify(input),
            }))
      return {
        content,
        finishReason: { unified: typeof answer === 'string' ? 'stop' : 'tool-calls', raw: undefined },
        usage: {
          inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 2, text: 2, reasoning: 0 },
        },
        warnings: [],
      }
    },
  })
}

/** Writes the file that the prompt names, `write PATH: CONTENT`, and finishes; does nothing for other prompts. */
export function writingModel(): MockLanguageModelV4 {
  return scriptedModel(({ prompt, step }) => {
    const [, path, content] = /^write (\S+): ([^]*)$/.exec(prompt) ?? []
    if (path === undefined) {
      return [['finish', { title: 'Nothing', summary: `Nothing to do for "${prompt}".`, noChange: true }]]
    }
    if (step === 0) return [['read_file', { path: 'index.md' }]]
    if (step === 1) return [['write_file', { path, content }]]
    return [['finish', { title: `Write ${path}`, summary: `Wrote ${path}, as asked.` }]]
  })
}

function readPrompt({ prompt }: LanguageModelV4CallOptions): { prompt: string; step: number } {
  // Nudges are a user's messages too, but follow an answer of this turn.
  const texts = prompt.map((message) =>
    message.role === 'user'
      ? message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
      : undefined,
  )
  const at = texts.findLastIndex((text) => text !== undefined && !text.startsWith('You answered without'))
  return {
    prompt: texts[at] ?? '',
    step: prompt.slice(at).filter((message) => message.role === 'assistant').length,
  }
}

/** A server that offers this one model, under any name. */
export function scriptedModels(model: Model): Models {
  return {
    defaultModel: 'scripted',
    assistantModel: 'scripted',
    find: () => model,
    fallbackOf: () => undefined,
    costOf: () => undefined,
  }
}
