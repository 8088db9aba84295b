import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import { fetchChat } from './chat/fetch-chat.ts'
import { fetchAnswer } from './fetch-answer.ts'
import { fetchVectors } from './fetch-vectors.ts'
import type { Model } from './model.ts'
import { asJson, remade } from './remake-answer.ts'
import { isRecord } from '../../lib/is-record.ts'

/** What the operator set for one provider. */
export interface ProviderSettings {
  key?: string | undefined
  url?: string | undefined
}

interface Provider {
  /** The variable of the key; undefined: there is none. */
  keyVariable: string | undefined
  keyNeeded: boolean
  urlVariable: string
  /**
   * Tokens of the window where nobody says it, for servers of one's own; undefined: a hosted service. Ollama's own default
   * is the smaller one, and it leaves out what does not fit without a word; other servers refuse, and then tell.
   */
  assumedWindow?: number
  /** Its servers run any model with any window, and some leave out what does not fit. */
  runsAnyModel?: true
  /** Its servers have OpenAI's interface, by which the window can be asked for. */
  isOpenAiLike?: true
  /** undefined: it must be set. */
  defaultUrl: string | undefined
  /** The whole address of the interface from what people set, who often leave out the version. */
  complete(url: string): string
  /** Loads the provider's package, which takes a while, so at the first call only. */
  load(id: string, settings: { key: string | undefined; url: string }): Promise<Model>
  /** The same for a model of vectors; undefined: the provider has none. */
  loadEmbedding?(id: string, settings: { key: string | undefined; url: string }): Promise<EmbeddingModelV4>
}

export type ProviderName =
  | 'anthropic'
  | 'openai'
  | 'openai-chat'
  | 'google'
  | 'compatible'
  | 'openrouter'
  | 'ollama'

// The address is always passed on, because the packages read the environment without one.
const openai = {
  isOpenAiLike: true as const,
  keyVariable: 'OPENAI_API_KEY',
  keyNeeded: true,
  urlVariable: 'OPENAI_BASE_URL',
  defaultUrl: 'https://api.openai.com/v1',
  complete: (url: string) => url,
  async loadEmbedding(id: string, { key, url }: { key: string | undefined; url: string }) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI({ baseURL: url, apiKey: key ?? '', fetch: fetchVectors }).embeddingModel(id)
  },
}

export const providers: Record<ProviderName, Provider> = {
  anthropic: {
    keyVariable: 'ANTHROPIC_API_KEY',
    keyNeeded: true,
    urlVariable: 'ANTHROPIC_BASE_URL',
    defaultUrl: 'https://api.anthropic.com/v1',
    complete: (url) => withVersion(url, 'v1'),
    async load(id, { key, url }) {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ baseURL: url, apiKey: key ?? '', fetch: fetchAnswer })(id)
    },
  },
  openai: {
    ...openai,
    async load(id, { key, url }) {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ baseURL: url, apiKey: key ?? '', fetch: fetchResponses }).responses(id)
    },
  },
  'openai-chat': {
    ...openai,
    async load(id, { key, url }) {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ baseURL: url, apiKey: key ?? '', fetch: fetchChat }).chat(id)
    },
  },
  google: {
    keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    keyNeeded: true,
    urlVariable: 'GOOGLE_GENERATIVE_AI_BASE_URL',
    defaultUrl: 'https://generativelanguage.googleapis.com/v1beta',
    complete: (url) => withVersion(url, 'v1beta'),
    async load(id, { key, url }) {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle({ baseURL: url, apiKey: key ?? '', fetch: fetchGoogle })(id)
    },
    async loadEmbedding(id, { key, url }) {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle({ baseURL: url, apiKey: key ?? '', fetch: fetchAnswer }).embeddingModel(id)
    },
  },
  compatible: {
    assumedWindow: 32_768,
    runsAnyModel: true,
    isOpenAiLike: true,
    keyVariable: 'OPENAI_COMPATIBLE_API_KEY',
    keyNeeded: false,
    urlVariable: 'OPENAI_COMPATIBLE_BASE_URL',
    defaultUrl: undefined,
    complete: (url) => url,
    load: (id, settings) => loadCompatible('compatible', id, settings),
    loadEmbedding: (id, settings) => loadCompatibleEmbedding('compatible', id, settings),
  },
  openrouter: {
    runsAnyModel: true,
    isOpenAiLike: true,
    keyVariable: 'OPENROUTER_API_KEY',
    keyNeeded: true,
    urlVariable: 'OPENROUTER_BASE_URL',
    defaultUrl: 'https://openrouter.ai/api/v1',
    complete: (url) => url,
    load: (id, settings) => loadCompatible('openrouter', id, settings),
    loadEmbedding: (id, settings) => loadCompatibleEmbedding('openrouter', id, settings),
  },
  ollama: {
    assumedWindow: 4096,
    runsAnyModel: true,
    isOpenAiLike: true,
    keyVariable: undefined,
    keyNeeded: false,
    urlVariable: 'OLLAMA_BASE_URL',
    defaultUrl: 'http://127.0.0.1:11434/v1',
    complete: (url) => withVersion(url, 'v1'),
    load: (id, settings) => loadCompatible('ollama', id, settings),
    loadEmbedding: (id, settings) => loadCompatibleEmbedding('ollama', id, settings),
  },
}

export function isProviderName(name: string): name is ProviderName {
  return Object.hasOwn(providers, name)
}

async function loadCompatible(
  name: ProviderName,
  id: string,
  { key, url }: { key: string | undefined; url: string },
): Promise<Model> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({
    name,
    baseURL: url,
    includeUsage: true,
    fetch: fetchChat,
    ...(key !== undefined && { apiKey: key }),
  })(id)
}

async function loadCompatibleEmbedding(
  name: ProviderName,
  id: string,
  { key, url }: { key: string | undefined; url: string },
): Promise<EmbeddingModelV4> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({
    name,
    baseURL: url,
    fetch: fetchVectors,
    ...(key !== undefined && { apiKey: key }),
  }).embeddingModel(id)
}

function withVersion(url: string, version: string): string {
  return /\/v\d\w{0,9}$/.test(url) ? url : `${url}/${version}`
}

/** The fetch for Google's models. A server that cannot stream sends one whole answer or a list of them. */
async function fetchGoogle(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetchAnswer(...request)
  const [asked] = request
  const streams = String(asked instanceof Request ? asked.url : asked).includes(':streamGenerateContent')
  const { text, value } = streams ? await asJson(response) : {}
  if (text === undefined) return response
  const answers: unknown[] = Array.isArray(value) ? value : [value]
  return remade(response, answers.map((answer) => `data: ${JSON.stringify(answer)}\n\n`).join(''))
}

/** The fetch for OpenAI's Responses. Gateways leave out fields that are mostly empty. */
async function fetchResponses(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetchAnswer(...request)
  const { text, value } = await asJson(response)
  if (text === undefined) return response
  const output = isRecord(value) && Array.isArray(value['output']) ? value['output'].filter(isRecord) : []
  const parts = output.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isRecord) : []))
  for (const part of parts) if (part['type'] === 'output_text') part['annotations'] ??= []
  return remade(response, JSON.stringify(value))
}
