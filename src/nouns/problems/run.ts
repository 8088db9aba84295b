import type { z } from '@hono/zod-openapi'
import type { SiteChecks } from '../../features/docs/problems/site-checks.ts'
import type { StoredCheck } from '../../features/docs/problems/stored-check.ts'
import { deed } from '../../verbs/verb.ts'
import type { siteProblems } from './answers.ts'
import * as verbs from './verbs.ts'

interface Ports {
  siteChecks: SiteChecks
}

const listProblems = deed(verbs.listProblems, async ({ siteChecks }: Ports, { project }, wanted) =>
  problemsBody(await siteChecks.look(project), wanted),
)

export const checkProblems = deed(verbs.checkProblems, async ({ siteChecks }: Ports, { project }) => {
  await siteChecks.again(project)
  return problemsBody(await siteChecks.look(project), { limit: 0 })
})

export const problemDeeds = [listProblems, checkProblems]

function problemsBody(
  check: StoredCheck | undefined,
  { kind, path = '', limit }: { kind?: string | undefined; path?: string | undefined; limit: number },
): z.output<typeof siteProblems> {
  const findings = check?.found
  return {
    state: stateOf(check),
    progress: check?.progress ?? null,
    error: check?.error ?? null,
    found: findings
      ? {
          at: findings.at.toISOString(),
          isCurrent: findings.isCurrent,
          pages: findings.pages,
          checkedLinks: findings.checkedLinks,
          counts: Object.fromEntries(findings.counts),
          problems: findings.problems
            .filter((one) => (kind === undefined || one.kind === kind) && one.path.startsWith(path))
            .slice(0, limit)
            .map(({ hint = null, isWarning = false, ...problem }) => ({
              kind: problem.kind,
              path: problem.path,
              line: problem.line,
              message: problem.message,
              hint,
              warning: isWarning,
            })),
          notLookedAt: findings.notLookedAt,
          ignored: findings.ignored,
        }
      : null,
  }
}

function stateOf(check: StoredCheck | undefined): 'waiting' | 'running' | 'ready' | 'failed' {
  if (check === undefined) return 'waiting'
  if (check.progress !== undefined) return 'running'
  return check.error === undefined ? 'ready' : 'failed'
}
