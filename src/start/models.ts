import type { Config } from '../config.ts'
import { createBuiltinModel } from '../integrations/models/builtin/create-builtin-model.ts'
import type { Models } from '../integrations/models/model.ts'
import { AppError } from '../lib/errors.ts'

/** The models that this server offers. */
export function createModels(config: Pick<Config, 'model' | 'assistantModel' | 'fallbackModel'>): Models {
  return {
    defaultModel: config.model,
    assistantModel: config.assistantModel ?? config.model,
    find(name) {
      if (name === 'builtin') return createBuiltinModel()
      throw new AppError(
        'invalid',
        `There is no model ${JSON.stringify(name.slice(0, 100))} on this server; it offers "builtin"`,
      )
    },
    fallbackOf: (name) => (config.fallbackModel === name ? undefined : config.fallbackModel),
    contextOf: () => undefined,
    costOf: (name) => (name === 'builtin' ? 0 : undefined),
  }
}
