import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'
import { classifyFailure } from './classify-failure.ts'

/**
 * What to ask instead when a provider refuses the thoughts that come back with a conversation: they are signed, and hold
 * only for the account, the model and the very words before them. Undefined for other failures, and where there are none.
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
