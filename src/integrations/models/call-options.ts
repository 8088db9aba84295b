import { createHash } from 'node:crypto'
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'
import type { ModelName } from './model-name.ts'

/**
 * Adds the options by which a provider reads a long conversation from its cache at every step and stores nothing of
 * it: journals are replayed months later. Options of the caller take precedence.
 */
export function callOptions(
  { provider, id }: ModelName,
  options: LanguageModelV4CallOptions,
): LanguageModelV4CallOptions {
  switch (provider) {
    case 'anthropic':
      return { ...options, prompt: markCache(options.prompt) }
    case 'openai':
      return withOptions(options, {
        openai: { store: false, promptCacheKey: conversationKey(id, options.prompt) },
      })
    case 'openai-chat':
      return withOptions(options, { openai: { promptCacheKey: conversationKey(id, options.prompt) } })
    case 'openrouter':
      return id.startsWith('anthropic/')
        ? withOptions(options, { openrouter: { cache_control: { type: 'ephemeral' } } })
        : options
    case 'google':
    case 'compatible':
    case 'ollama':
      return options
  }
}

/**
 * Sets up to three cache marks: after the system prompt and tools, at the end of the previous call, and at the end.
 * With the last mark alone, the provider would miss the cache after a step with many parallel calls.
 */
function markCache(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const lastAnswer = prompt.findLastIndex(({ role }) => role === 'assistant')
  const marks = new Set([
    prompt.findLastIndex(({ role }) => role === 'system'),
    lastAnswer - 1,
    prompt.length - 1,
  ])
  return prompt.map((message, index) => (marks.has(index) ? marked(message) : message))
}

function marked(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role === 'assistant' || message.providerOptions?.['anthropic']?.['cacheControl']) return message
  const anthropic = { ...message.providerOptions?.['anthropic'], cacheControl: { type: 'ephemeral' } }
  return { ...message, providerOptions: { ...message.providerOptions, anthropic } }
}

/** Calls of one conversation share a key, so that they meet the same cache; others do not crowd it. */
function conversationKey(id: string, prompt: LanguageModelV4Prompt): string {
  const opening = prompt.slice(0, prompt.findIndex(({ role }) => role === 'user') + 1)
  const hash = createHash('sha256').update(id)
  for (const { role, content } of opening) hash.update(`\n${role}\n${JSON.stringify(content)}`)
  return `docwright-${hash.digest('hex').slice(0, 32)}`
}

function withOptions(
  options: LanguageModelV4CallOptions,
  added: SharedV4ProviderOptions,
): LanguageModelV4CallOptions {
  const merged = { ...options.providerOptions }
  for (const [provider, values] of Object.entries(added))
    merged[provider] = { ...values, ...merged[provider] }
  return { ...options, providerOptions: merged }
}
