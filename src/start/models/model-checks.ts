import type { LocalCheck } from '../../cli/doctor-command.ts'
import { readConfig } from '../../config.ts'
import { configuredModels } from './configured-models.ts'

/** The checks that `doctor` runs on each configured model: one tiny call. Code for it is loaded only then. */
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
      const [{ createModels }, { probeModel }, { costWarning }] = await Promise.all([
        import('./models.ts'),
        import('../../integrations/models/probe-model.ts'),
        import('./cost-warnings.ts'),
      ])
      const models = createModels(config, { retries: { tries: 1, firstWait: 0, longestWait: 0 } })
      const found = await probeModel(models.find(name), name)
      const warning = config.jobMaxCost === undefined ? undefined : costWarning(models, name)
      return warning === undefined ? found : `${found}. ${warning}`
    },
  }))
}
