import { probeModel } from '../../integrations/models/probe-model.ts'
import { createModels } from './models.ts'

/** Tries a model once, without the patience that jobs have. @throws AppError that says what is wrong */
export function createModelTest(
  config: Parameters<typeof createModels>[0],
): (name: string) => Promise<string> {
  const models = createModels(config, { retries: { tries: 1, firstWait: 0, longestWait: 0 } })
  return async (name) =>
    name === 'builtin' ? 'builtin needs no key and no network' : probeModel(models.find(name), name)
}
