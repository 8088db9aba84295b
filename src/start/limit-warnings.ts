import type { Config } from '../config.ts'
import { describeBranchInTheWay, findBranchInTheWay } from '../integrations/git/branch-prefix.ts'
import type { Project } from '../features/projects/projects.ts'
import { withDefaults } from '../features/projects/settings/schemas.ts'

type ServerLimits = Pick<Config, 'jobMaxSteps' | 'jobMaxTokens' | 'jobMaxCost' | 'jobMaxMinutes'>

/** Warnings about limits of a project that lie above the server's own, which ends the work first. */
export function limitWarnings(
  { jobMaxSteps, jobMaxTokens, jobMaxCost, jobMaxMinutes }: ServerLimits,
  { settings: { budget } }: Pick<Project, 'settings'>,
): string[] {
  const limits = [
    ['model calls', budget?.steps, jobMaxSteps, 'DOCWRIGHT_JOB_MAX_STEPS'],
    ['tokens', budget?.tokens, jobMaxTokens, 'DOCWRIGHT_JOB_MAX_TOKENS'],
    ['USD', budget?.cost, jobMaxCost, 'DOCWRIGHT_JOB_MAX_COST'],
    ['minutes', budget?.minutes, jobMaxMinutes, 'DOCWRIGHT_JOB_MAX_MINUTES'],
  ] as const
  return limits.flatMap(([unit, own, server, variable]) =>
    own === undefined || server === undefined || own <= server
      ? []
      : [`The limit of ${own} ${unit} has no effect: the server’s own is ${server} (${variable})`],
  )
}

/** The branch of the repository that is in the way of branches of jobs. */
export function branchWarnings({
  blockingBranch,
  settings,
}: Pick<Project, 'blockingBranch' | 'settings'>): string[] {
  const prefix = withDefaults(settings).branchPrefix
  // It may have been found for another prefix, until the next sync.
  const blocking = findBranchInTheWay(prefix, blockingBranch === undefined ? [] : [blockingBranch])
  return blocking === undefined ? [] : [describeBranchInTheWay(prefix, blocking)]
}
