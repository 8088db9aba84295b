import { z } from '@hono/zod-openapi'
import { siteProblemKinds } from '../../site/checks/whole/site-problem.ts'

export const problemKind = z.enum(siteProblemKinds, {
  error: `must be one of ${siteProblemKinds.join(', ')}`,
})

export const siteProblems = z
  .object({
    state: z
      .enum(['waiting', 'running', 'ready', 'failed'])
      .describe(
        '`waiting`: the repository was not read yet. While it is `running`, `found` is of an older state.',
      ),
    progress: z.object({ phase: z.string(), done: z.int(), total: z.int() }).nullable(),
    error: z.string().nullable().describe('Why the check did not come to its end.'),
    found: z
      .object({
        at: z.iso.datetime(),
        isCurrent: z.boolean().describe('Whether the pages are still those that were checked.'),
        pages: z.int(),
        checkedLinks: z.int().describe('Links and images that were tried.'),
        counts: z.record(z.string(), z.int()).describe('How many problems there are of each kind.'),
        problems: z.array(
          z.object({
            kind: problemKind,
            path: z.string(),
            line: z.int(),
            message: z.string(),
            hint: z.string().nullable(),
            warning: z.boolean().describe('It may be right: the site has many like it.'),
          }),
        ),
        notLookedAt: z.array(z.object({ kind: z.string(), count: z.int() })),
        ignored: z
          .object({
            count: z.int(),
            wrong: z
              .array(z.object({ line: z.int(), message: z.string() }))
              .describe('Entries of the file that are not used, by their lines.'),
          })
          .describe('Problems that `.docwright/ignore.yml` of the repository says are none.'),
      })
      .nullable()
      .describe('What the last check found.'),
  })
  .openapi('SiteProblems', { description: 'What is wrong with the pages of a project.' })
