import type { LocalCheck } from '../../nouns/server/doctor.ts'
import { type Config, readConfig } from '../../config.ts'
import type { CheckModel } from '../../integrations/models/offered-model.ts'
import { AppError } from '../../lib/errors.ts'
import { configuredModels } from './configured-models.ts'

/** Tests a model that the configuration names with the calls of its work. Code for it is loaded only then. */
export function createModelCheck(config: Config): CheckModel {
  return async (variable) => {
    const configured = configuredModels(config)
    const name = configured.find((one) => one.variable === variable)?.name
    if (name === undefined) throw new AppError('invalid', `${variable} is not set on this server`)
    if (name === 'builtin') return { detail: 'builtin: no key needed', warning: false }
    const [{ createModels }, { tryModel }, { costWarning }] = await Promise.all([
      import('./models.ts'),
      import('./try-model.ts'),
      import('./cost-warnings.ts'),
    ])
    const models = createModels(config, { retries: { tries: 1, firstWait: 0, longestWait: 0 } })
    const variables = configured.filter((other) => other.name === name).map((other) => other.variable)
    const isOnly = (of: string): boolean => variables.every((one) => one === of)
    const trial = await tryModel(models, name, {
      answers: config.assistantModel === undefined || !isOnly('DOCWRIGHT_MODEL'),
      jobs: !isOnly('DOCWRIGHT_ASSISTANT_MODEL'),
    })
    const cost = config.jobMaxCost === undefined ? undefined : costWarning(models, name)
    const detail = [`${name}: ${trial.text}`, ...(cost === undefined ? [] : [cost])].join('. ')
    return { detail, warning: trial.isSlow }
  }
}

/** What `doctor` tests where no server runs: the models that the environment of the command names. */
export function modelChecks(environment: NodeJS.ProcessEnv): LocalCheck[] {
  let config: Config
  try {
    config = readConfig(environment)
  } catch {
    // Another check reports what is wrong with the configuration.
    return []
  }
  const check = createModelCheck(config)
  const configured = configuredModels(config)
  return configured
    .filter(({ name }, index) => configured.findIndex((other) => other.name === name) === index)
    .map(({ variable }) => ({ check: `model (${variable})`, run: () => check(variable) }))
}
