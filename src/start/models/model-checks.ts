import type { LocalCheck } from '../../nouns/server/doctor.ts'
import { readConfig } from '../../config.ts'
import { configuredModels } from './configured-models.ts'

/** The checks that `doctor` runs on each configured model: the calls of its work. Code for it is loaded only then. */
export function modelChecks(environment: NodeJS.ProcessEnv): LocalCheck[] {
  let config
  try {
    config = readConfig(environment)
  } catch {
    // Another check reports what is wrong with the configuration.
    return []
  }
  const configured = configuredModels(config)
  const once = configured.filter(
    ({ name }, index) => configured.findIndex((other) => other.name === name) === index,
  )
  return once.map(({ variable, name }) => ({
    check: `model (${variable})`,
    async run() {
      if (name === 'builtin') return 'builtin: no key needed'
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
      const warning = config.jobMaxCost === undefined ? undefined : costWarning(models, name)
      const detail = [`${name}: ${trial.text}`, ...(warning === undefined ? [] : [warning])].join('. ')
      return trial.isSlow ? { detail, warning: true } : detail
    },
  }))
}
