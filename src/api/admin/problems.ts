import { limitUpTo } from '../../lib/list-query.ts'
import { z } from '@hono/zod-openapi'
import type { SiteChecks } from '../../features/docs/problems/site-checks.ts'
import type { StoredCheck } from '../../features/docs/problems/stored-check.ts'
import { problemKind, siteProblems } from '../../nouns/problems/answers.ts'
import type { Access } from '../access.ts'
import { operations } from '../description/operation.ts'
import type { Endpoint } from '../endpoint.ts'

interface Ports {
  access: Access
  siteChecks: SiteChecks
}

const query = z.object({
  kind: problemKind.optional().describe('Only problems of this kind.'),
  path: z.string().max(1000).optional().describe('Only problems of files whose path begins like this.'),
  limit: limitUpTo(3000, 500),
})

/** What is wrong with a project's site as a whole. */
export function problemEndpoints({ access, siteChecks }: Ports): Endpoint[] {
  const { onProject } = operations(access, 'Projects')
  const path = '/admin/projects/{domain}/problems'
  return [
    onProject('listProblems', `get ${path}`, 'List problems of the site', {
      description:
        'Broken links, pages outside of the navigation, missing titles and more, over the whole site. The first call after a change begins a check; ask again while it is `running`.',
      query,
      answer: [200, 'The state of the check, and what the last one found', siteProblems],
      async handle({ project, query: wanted }) {
        return problemsBody(await siteChecks.look(project), wanted)
      },
    }),
    onProject('checkProblems', `post ${path}/check`, 'Check the site again', {
      description: 'It is checked automatically after each change; this is for a check that failed.',
      answer: [202, 'The state of the check', siteProblems],
      async handle({ project }) {
        await siteChecks.again(project)
        return problemsBody(await siteChecks.look(project), { limit: 0 })
      },
    }),
  ]
}

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
        }
      : null,
  }
}

function stateOf(check: StoredCheck | undefined): 'waiting' | 'running' | 'ready' | 'failed' {
  if (check === undefined) return 'waiting'
  if (check.progress !== undefined) return 'running'
  return check.error === undefined ? 'ready' : 'failed'
}
