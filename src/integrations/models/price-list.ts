import type { ModelUsage } from './model.ts'
import { readModelName, type ModelName } from './model-name.ts'
import type { ProviderName } from './providers.ts'
import snapshot from './prices.json' with { type: 'json' }

/** US dollars per million tokens. */
interface Rates {
  input: number
  output: number
  cacheRead?: number
  cacheWrite?: number
}

export interface PricedModel extends Rates {
  /** Tokens that the model can read at once. */
  context?: number
  /** Calls with more input tokens cost this. */
  long?: Rates & { over: number }
}

/** `scripts/refresh-prices.ts` writes it. */
export interface PriceSnapshot {
  source: string
  date: string
  models: Record<string, Record<string, PricedModel>>
}

const { models }: PriceSnapshot = snapshot

/** Millionths of a US dollar; undefined where no price is known. */
export function costOf(name: string, usage: ModelUsage): number | undefined {
  const model = readModelName(name)
  // These models run on the operator's own machine.
  if (model?.provider === 'ollama') return 0
  const price = model && lookUp(model)
  if (!price) return undefined
  const rates = price.long && usage.inputTokens > price.long.over ? price.long : price
  const { cachedInputTokens: read, cacheWriteTokens: written } = usage
  const plain = Math.max(0, usage.inputTokens - read - written)
  // A dollar per million tokens is a millionth of a dollar per token.
  return Math.ceil(
    plain * rates.input +
      read * (rates.cacheRead ?? rates.input) +
      written * (rates.cacheWrite ?? rates.input) +
      usage.outputTokens * rates.output,
  )
}

/** US dollars per million tokens; undefined where no price is known. */
export function priceOf(name: string): { input: number; output: number } | undefined {
  const model = readModelName(name)
  if (model?.provider === 'ollama') return { input: 0, output: 0 }
  const price = model && lookUp(model)
  return price && { input: price.input, output: price.output }
}

/** The names of all models of a provider whose price is known. */
export function pricedModels(provider: ProviderName): string[] {
  return Object.keys(models[provider === 'openai-chat' ? 'openai' : provider] ?? {})
}

/** Tokens that the model can read at once; undefined where that is not known. */
export function contextOf(name: string): number | undefined {
  const model = readModelName(name)
  return model && lookUp(model)?.context
}

function lookUp({ provider, id }: ModelName): PricedModel | undefined {
  const list = models[provider === 'openai-chat' ? 'openai' : provider]
  if (!list) return undefined
  const names = [id, id.replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '')]
  const known = names.find((candidate) => Object.hasOwn(list, candidate))
  return known === undefined ? undefined : list[known]
}
