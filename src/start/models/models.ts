import type { Config } from '../../config.ts'
import { createBuiltinModel } from '../../builtin/create-builtin-model.ts'
import { createEmbedder } from '../../integrations/models/create-embedder.ts'
import { createRemoteModel } from '../../integrations/models/create-remote-model.ts'
import { parseModelName } from '../../integrations/models/model-name.ts'
import type { FailedCallReport, Model, Models, Purpose } from '../../integrations/models/model.ts'
import { createModelTurns, type CallsAtOnce } from '../../integrations/models/model-turns.ts'
import { createOutages, type Attempt, type Outages } from '../../integrations/models/outages.ts'
import { isOwnServer, matchesPattern, numberFor, patienceOf } from '../../integrations/models/patience.ts'
import { readSlots } from '../../integrations/models/read-slots.ts'
import { costOf } from '../../integrations/models/price-list.ts'
import { providers, type ProviderName, type ProviderSettings } from '../../integrations/models/providers.ts'
import type { Retries } from '../../integrations/models/retries.ts'
import { fittedModel } from '../../integrations/models/window/fitted-model.ts'
import { createWindows } from '../../integrations/models/window/windows.ts'
import { AppError, messageOf } from '../../lib/errors.ts'
import { configuredModels } from './configured-models.ts'
import { measuredEmbedder, measuredModel } from './measured-model.ts'

type ModelConfig = Pick<
  Config,
  'model' | 'assistantModel' | 'fallbackModel' | 'allowedModels' | 'modelWindows' | 'providers' | 'patience'
>

interface ModelParts {
  retries?: Retries
  outages?: Outages
  /** Called for each call that fails, but not for those that nobody waits for any longer. */
  onFailure?: (failed: FailedCallReport) => void
  /** Is told what the operator should know of a model's server. */
  warn?: (message: string) => void
}

/** The models that this server offers. No package is loaded before a model's first call. */
export function createModels(
  config: ModelConfig,
  { retries, outages = createOutages(), onFailure, warn = () => undefined }: ModelParts = {},
): Models {
  const always = ['builtin', ...configuredModels(config).map(({ name }) => name)]
  const isAllowed = (name: string): boolean =>
    config.allowedModels === undefined ||
    always.includes(name) ||
    config.allowedModels.some((pattern) => matchesPattern(name, pattern))
  const requireAllowed = (name: string): void => {
    if (isAllowed(name)) return
    const list = [...new Set([...always, ...(config.allowedModels ?? [])])].join(', ')
    throw new AppError('invalid', `The model ${name} isn’t allowed on this server. Allowed: ${list}`)
  }
  const windows = createWindows((name) => numberFor(name, config.modelWindows))
  // The built-in model is no fallback of jobs, and always the last one of the assistant.
  const nextOf = (name: string, purpose: Purpose): string | undefined => {
    if (purpose === 'assistant') return 'builtin'
    return config.fallbackModel === 'builtin' || config.fallbackModel === name
      ? undefined
      : config.fallbackModel
  }
  return {
    defaultModel: config.model,
    assistantModel: config.assistantModel ?? config.model,
    patienceOf: (name) => patienceOf(name, config.patience),
    turns: createModelTurns((name) => callsAtOnce(name, config)),
    find(name, purpose = 'check') {
      if (name === 'builtin')
        return measuredModel(createBuiltinModel(), {
          name,
          provider: name,
          id: name,
          purpose,
          costOf: () => 0,
        })
      const windowed = { name, ...findProvider(name, config).settings }
      const begin = (): Attempt => outages.begin(name, nextOf(name, purpose))
      const remote = fittedModel(findRemote(name, config, begin, retries), {
        name,
        read: () => windows.read(windowed, fewMilliseconds),
        learn: (tokens) => void windows.learn(windowed, tokens),
        cuts: providers[parseModelName(name).provider].runsAnyModel ? windows.cutsOf(windowed) : undefined,
        cut(read, sent) {
          const isNews = windows.learn(windowed, Math.max(read, leastLearnt))
          if (isNews) warn(cutText(name, read, sent))
          return isNews
        },
      })
      requireAllowed(name)
      return measuredModel(remote, { ...parseModelName(name), name, purpose, costOf, onFailure })
    },
    findEmbedder(name) {
      if (name === 'builtin')
        throw new AppError('invalid', `The built-in model doesn’t support embeddings. ${nameEmbedder}`)
      const { parsed, provider, settings, about } = findProvider(name, config)
      const { loadEmbedding } = provider
      if (loadEmbedding === undefined)
        throw new AppError('invalid', `${parsed.provider} offers no embedding models: ${nameEmbedder}`)
      requireAllowed(name)
      const embedder = createEmbedder(parsed, () => loadEmbedding(parsed.id, settings), about)
      return measuredEmbedder(embedder, { ...parsed, name, purpose: 'enrichment', costOf })
    },
    fallbackOf: (name) => (config.fallbackModel === name ? undefined : config.fallbackModel),
    costOf: (name, usage) => (name === 'builtin' ? 0 : costOf(name, usage)),
    async readWindow(name) {
      if (name === 'builtin') return { tokens: undefined, source: 'unknown' }
      return windows.read({ name, ...findProvider(name, config).settings })
    },
  }
}

/**
 * The same for a server, which refuses at its start a model that can never work.
 * @throws AppError `invalid` with a line for each variable
 */
export function checkedModels(config: ModelConfig, parts?: ModelParts): Models {
  const models = createModels(config, parts)
  const problems = configuredModels(config).flatMap(({ variable, name }) => {
    try {
      models.find(name)
      return []
    } catch (error) {
      return [`${variable}: ${messageOf(error)}`]
    }
  })
  if (problems.length > 0) throw new AppError('invalid', problems.join('\n'))
  return models
}

/** That a call waits for the window of its model, where nothing else has read it before. */
const fewMilliseconds = 1000

/** Tokens: with fewer, no answer is possible, so that a lower number is more likely a wrong one. */
const leastLearnt = 4096

function cutText(name: string, read: number, sent: number): string {
  return `${name} read ${read} of about ${sent} tokens, because its server leaves out what does not fit. Give it a larger context window, or set DOCWRIGHT_MODEL_WINDOWS to the one that it has`
}

const nameEmbedder =
  'name one such as openai:text-embedding-3-small, google:gemini-embedding-001 or ollama:nomic-embed-text'

function findRemote(
  name: string,
  config: ModelConfig,
  begin: () => Attempt,
  retries: Retries | undefined,
): Model {
  const { parsed, provider, settings, about } = findProvider(name, config)
  return createRemoteModel(parsed, () => provider.load(parsed.id, settings), about, begin, retries)
}

/** As the operator says, else as the server does, else a few where the server is one's own. */
async function callsAtOnce(name: string, config: ModelConfig): Promise<CallsAtOnce> {
  // It runs in threads of its own, and stands in when others are away.
  if (name === 'builtin') return { calls: undefined, isSure: true }
  const { calls } = patienceOf(name, config.patience)
  if (calls !== undefined || !isOwnServer(name)) return { calls, isSure: true }
  const slots = await readSlots(findProvider(name, config).settings.url)
  return { calls: slots ?? usualSlots, isSure: slots !== undefined }
}

/** Calls that servers of one's own answer at once where they do not say it. */
const usualSlots = 4

/** The provider that a model's name tells, with its key and address. */
function findProvider(name: string, config: ModelConfig) {
  const parsed = parseModelName(name)
  const provider = providers[parsed.provider]
  const { key, url } = settingsOf(parsed.provider, config.providers)
  const { keyVariable, urlVariable } = provider
  if (provider.keyNeeded && key === undefined && keyVariable !== undefined)
    throw new AppError(
      'invalid',
      `The model ${name} requires an API key. Set ${keyVariable}, or set ${keyVariable}_FILE to a file that contains it`,
    )
  const base = url ?? provider.defaultUrl
  if (base === undefined)
    throw new AppError(
      'invalid',
      `The model ${name} needs the URL of its server: set ${urlVariable}, for example to http://127.0.0.1:8000/v1`,
    )
  const parts = new URL(base)
  if (parts.username !== '' || parts.password !== '')
    throw new AppError('invalid', `${urlVariable} must not contain a user or a password: set the key instead`)
  const address = provider.complete(base)
  return {
    parsed,
    provider,
    settings: { key, url: address },
    // The query is hidden, because some gateways want a key there.
    about: {
      address: address.split('?')[0],
      hasKey: key !== undefined,
      secrets: key === undefined ? [] : [key],
    },
  }
}

function settingsOf(provider: ProviderName, settings: Config['providers']): ProviderSettings {
  return provider === 'openai-chat' ? settings.openai : settings[provider]
}
