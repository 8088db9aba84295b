import type { Model, Models } from '../../src/integrations/models/model.ts'
import { noTurns } from '../../src/integrations/models/model-turns.ts'
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
} from '@ai-sdk/provider'
import { MockLanguageModelV4 } from 'ai/test'
import { reminders } from '../../src/features/agent/model/reminders.ts'

const leftOut = /^\[Your first (\d+) steps are left out/
const allReminders: string[] = Object.values(reminders)

export interface Asked {
  /** The turn's own prompt. */
  prompt: string
  /** How many answers the model has given in this turn. */
  step: number
  options: LanguageModelV4CallOptions
}

/** Words, calls, or the content and its end as a provider gives them. */
export type Answer = string | [tool: string, input: unknown][] | RawAnswer

interface RawAnswer {
  content: LanguageModelV4Content[]
  finish: LanguageModelV4FinishReason['unified']
  /** Its provider does not say what it used. */
  uncounted?: true
}

/** For tests: answers from what it is told alone, so that it says the same again after a restart. */
export function scriptedModel(script: (asked: Asked) => Answer | Promise<Answer>): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doGenerate: async (options) => {
      const { prompt, step } = readPrompt(options)
      const answer = await script({ prompt, step, options })
      const { content, finish, uncounted } = rawAnswer(answer, step)
      const [total, text] = uncounted ? [] : [10, 2]
      return {
        content,
        finishReason: { unified: finish, raw: undefined },
        usage: {
          inputTokens: { total, noCache: total, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: text, text, reasoning: 0 },
        },
        warnings: [],
      }
    },
  })
}

function rawAnswer(answer: Answer, step: number): RawAnswer {
  if (typeof answer === 'string') return { content: [{ type: 'text', text: answer }], finish: 'stop' }
  if (!Array.isArray(answer)) return answer
  const content = answer.map(([tool, input], index) => callOf(`call-${step}-${index}`, tool, input))
  return { content, finish: 'tool-calls' }
}

export function callOf(toolCallId: string, toolName: string, input: unknown): LanguageModelV4Content {
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  return { type: 'tool-call', toolCallId, toolName, input: text }
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
    const summary = `Wrote ${path}, as asked.`
    return [['finish', { title: `Write ${path}`, summary, description: summary }]]
  })
}

/** `break PATH: CONTENT` writes and then fails; other prompts write what they say, if anything, and finish. */
export function brittleModel(asked: (one: Asked) => void = () => {}): MockLanguageModelV4 {
  return scriptedModel((one) => {
    asked(one)
    const { prompt, step } = one
    const [, verb, path, content] = /^(break|write) (\S+): ([^]*)$/.exec(prompt) ?? []
    if (path !== undefined && step === 0) return [['write_file', { path, content }]]
    if (verb === 'break') throw new Error('the provider is down')
    return [['finish', { title: 'Go on', summary: `Did "${prompt}".` }]]
  })
}

function readPrompt({ prompt }: LanguageModelV4CallOptions): { prompt: string; step: number } {
  // Nudges are a user's messages too, but follow an answer of this turn.
  const texts = prompt.map((message) =>
    message.role === 'user'
      ? message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
      : undefined,
  )
  const isNudge = (text: string | undefined): boolean =>
    text !== undefined &&
    (allReminders.includes(text) || text.startsWith('{"ok":false') || leftOut.test(text))
  const at = texts.findLastIndex((text) => text !== undefined && !isNudge(text))
  // Empty answers are not shown again: only what was said to them is.
  const answers = prompt.filter(
    ({ role }, index) =>
      index > at &&
      (role === 'assistant' || (isNudge(texts[index]) && prompt[index - 1]?.role !== 'assistant')),
  )
  const dropped = texts.map((text) => Number(leftOut.exec(text ?? '')?.[1] ?? 0)).find((count) => count > 0)
  return { prompt: texts[at] ?? '', step: answers.length + (dropped === undefined ? 0 : dropped - 1) }
}

/** A server that offers this one model, under any name. */
export function scriptedModels(model: Model): Models {
  return {
    defaultModel: 'scripted',
    assistantModel: 'scripted',
    find: () => model,
    findEmbedder: () => {
      throw new Error('this server offers no model for vectors')
    },
    fallbackOf: () => undefined,
    turns: noTurns,
    patienceOf: () => ({ firstText: 30_000, answer: 90_000, step: 300_000, calls: undefined }),
    readWindow: () => Promise.resolve({ tokens: undefined, source: 'unknown' }),
    costOf: () => undefined,
  }
}
