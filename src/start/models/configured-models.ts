import type { Config } from '../../config.ts'
import type { ModelVariable } from '../../lib/model-variables.ts'

/** The models that the configuration names, with their variables. A model that is named twice is listed twice. */
export function configuredModels(
  config: Pick<Config, 'model' | 'assistantModel' | 'fallbackModel'>,
): { variable: ModelVariable; name: string }[] {
  const named = [
    { variable: 'DOCWRIGHT_MODEL', name: config.model },
    { variable: 'DOCWRIGHT_ASSISTANT_MODEL', name: config.assistantModel },
    { variable: 'DOCWRIGHT_FALLBACK_MODEL', name: config.fallbackModel },
  ] as const
  return named.flatMap(({ variable, name }) => (name === undefined ? [] : [{ variable, name }]))
}
