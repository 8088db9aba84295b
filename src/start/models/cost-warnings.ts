import type { Config } from '../../config.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Models } from '../../integrations/models/model.ts'

type PricedModels = Pick<Models, 'defaultModel' | 'fallbackOf' | 'costOf'>

/** Warnings about models without a known price: their calls count nothing against a limit of cost. */
export function costWarnings(
  models: PricedModels,
  { jobMaxCost }: Pick<Config, 'jobMaxCost'>,
  { settings }: Pick<Project, 'settings'>,
): string[] {
  const { questions, vectors } = settings.enrichment ?? {}
  const enriching = [questions, vectors].flatMap((name) =>
    name === undefined || costWarning(models, name) === undefined
      ? []
      : [`No price is known for ${name}, so the ceiling of enrichment does not hold for it`],
  )
  if (settings.budget?.cost === undefined && jobMaxCost === undefined) return enriching
  const own = settings.model ?? models.defaultModel
  const names = new Set([own, models.fallbackOf(own) ?? own])
  return [...enriching, ...[...names].flatMap((name) => costWarning(models, name) ?? [])]
}

/** The same for one model; undefined when its price is known. */
export function costWarning(models: Pick<Models, 'costOf'>, name: string): string | undefined {
  const nothing = { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }
  return models.costOf(name, nothing) === undefined
    ? `No price known for ${name}, so the cost limit doesn’t apply. Set a token limit as well`
    : undefined
}
