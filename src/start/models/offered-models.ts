import type { Config } from '../../config.ts'
import { listModels } from '../../integrations/models/list-models.ts'
import { readModelName } from '../../integrations/models/model-name.ts'
import type { Models } from '../../integrations/models/model.ts'
import type { OfferedModel, OfferedModels } from '../../integrations/models/offered-model.ts'
import { contextOf, pricedModels, priceOf } from '../../integrations/models/price-list.ts'
import { providers, type ProviderName, type ProviderSettings } from '../../integrations/models/providers.ts'
import { messageOf } from '../../lib/errors.ts'
import { configuredModels } from './configured-models.ts'

type OfferConfig = Pick<Config, 'model' | 'assistantModel' | 'fallbackModel' | 'allowedModels' | 'providers'>

/** Milliseconds for which a provider's list is kept, and a failure to get it. */
const lifetime = 600_000
const shortLifetime = 30_000

/**
 * The models that people may choose from: those of each provider that is set up, by its own list, or else those whose
 * price is known.
 */
export function createOfferedModels(
  config: OfferConfig,
  models: Pick<Models, 'find'>,
  list: typeof listModels = listModels,
): OfferedModels {
  let kept: { until: number; offer: Promise<Awaited<ReturnType<OfferedModels>>> } | undefined
  return async () => {
    if (kept && kept.until > Date.now()) return kept.offer
    const offer = ask(config, models, list)
    const current = { until: Date.now() + lifetime, offer }
    kept = current
    const { problems } = await offer
    if (problems.length > 0) current.until = Date.now() + shortLifetime
    return offer
  }
}

async function ask(
  config: OfferConfig,
  { find }: Pick<Models, 'find'>,
  list: typeof listModels,
): ReturnType<OfferedModels> {
  const problems: string[] = []
  const named = new Set(['builtin', ...configuredModels(config).map(({ name }) => name)])
  const isOffered = (name: string): boolean => {
    try {
      find(name)
      return true
    } catch {
      return false
    }
  }
  const lists = await Promise.all(
    usedProviders(config, [...named]).map(async (provider) => {
      const { keyVariable, defaultUrl, complete } = providers[provider]
      const settings: ProviderSettings = config.providers[provider]
      const url = complete(settings.url ?? defaultUrl ?? '')
      const ids = await list(provider, { key: keyVariable && settings.key, url }).catch((error: unknown) => {
        problems.push(messageOf(error))
        return pricedModels(provider)
      })
      return ids.map((id) => `${provider}:${id}`).sort()
    }),
  )
  for (const name of lists.flat()) if (readModelName(name) && isOffered(name)) named.add(name)
  return { models: [...named].map(described), problems }
}

type ListedProvider = Exclude<ProviderName, 'openai-chat'>

/** Those with a key, with an address of their own, or with a model that the configuration names. */
function usedProviders({ providers: set }: OfferConfig, named: readonly string[]): ListedProvider[] {
  const all: ListedProvider[] = ['anthropic', 'openai', 'google', 'compatible', 'openrouter', 'ollama']
  return all.filter((provider) => {
    const { keyNeeded, defaultUrl } = providers[provider]
    const { key, url }: ProviderSettings = set[provider]
    if (keyNeeded) return key !== undefined
    return (
      url !== undefined || (defaultUrl !== undefined && named.some((name) => name.startsWith(`${provider}:`)))
    )
  })
}

function described(name: string): OfferedModel {
  return {
    name,
    price: name === 'builtin' ? { input: 0, output: 0 } : priceOf(name),
    context: name === 'builtin' ? undefined : contextOf(name),
  }
}
