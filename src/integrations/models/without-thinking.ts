import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'
import { classifyFailure } from './classify-failure.ts'

/**
 * The conversation without thoughts, for a provider that refuses them: they are signed, and only valid for the
 * account, the model and exactly the text before them. Undefined for other failures, and where there are no
 * thoughts.
 */
export function withoutThinking(
  error: unknown,
  options: LanguageModelV4CallOptions,
): LanguageModelV4CallOptions | undefined {
  const { kind, words } = classifyFailure(error)
  if (
    kind !== 'unknown' ||
    !/\bthinking\b/.test(words) ||
    !/signature|bound to|thinking blocks?\b/i.test(words)
  )
    return undefined
  let left = false
  const prompt = options.prompt.map((message): LanguageModelV4Message => {
    if (message.role !== 'assistant') return message
    const content = message.content.filter(({ type }) => type !== 'reasoning')
    left ||= content.length < message.content.length
    return { ...message, content }
  })
  return left ? { ...options, prompt: prompt.filter(({ content }) => content.length > 0) } : undefined
}
