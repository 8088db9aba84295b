import { z } from '@hono/zod-openapi'
import { impactLevels } from '../../site/impact/findings.ts'

const place = z
  .object({ path: z.string(), line: z.int() })
  .openapi('PlaceInCode', { description: 'A line of a file of the code.' })

const namedChange = z
  .object({
    name: z.string(),
    fate: z.enum(['removed', 'renamed', 'new', 'value', 'changed']),
    isGone: z.boolean().describe('It no longer occurs in the code.'),
    became: z.string().nullable(),
    words: z.string().describe('What happened to it, such as `was removed from the code`.'),
    before: place.nullable().describe('Its place in the code before the change.'),
    after: place.nullable().describe('Its place in the code after the change.'),
  })
  .openapi('NamedChange', { description: 'A name that a change of code touches, and what happened to it.' })

const page = z.object({
  path: z.string(),
  level: z
    .enum(impactLevels)
    .describe(
      '`certain`: it has a name, as code or in a heading, that no longer occurs in the code. `likely`: look at it. `look`: it may be touched.',
    ),
  score: z.number(),
  commit: z
    .string()
    .describe('The commit that says most of it. Saying that the page is still true takes it.'),
  why: z.array(z.string()),
  sections: z.array(
    z.object({
      heading: z.string().describe('Empty for what stands before the first heading.'),
      lines: z.array(z.int()).describe('Its first and its last line.'),
      names: z.array(z.object({ name: z.string(), line: z.int(), text: z.string() })),
    }),
  ),
})

export const impactAnswer = z
  .object({
    from: z.string(),
    to: z.string(),
    commits: z.int().describe('Commits that were looked at one by one.'),
    pages: z.array(page).describe('The first first.'),
    edited: z
      .array(z.object({ path: z.string(), rank: z.int().nullable(), level: z.enum(impactLevels).nullable() }))
      .describe('Pages that the change edits itself, and where they would stand.'),
    stillTrue: z.int().describe('Pages that people found still true, which are left out.'),
    names: z.array(namedChange),
    undocumented: z.array(namedChange).describe('Names that are new and on no page.'),
    compared: z.int().describe('Pages that were compared.'),
    leftOut: z.array(z.object({ why: z.string(), count: z.int() })),
    isPartial: z.boolean().describe('Not all of the code could be read, so nothing is certain.'),
    mapProblem: z.string().nullable().describe('What is wrong with `.docwright/map.yml`.'),
  })
  .openapi('ChangeImpact', { description: 'Which pages a change of code touches.' })

const pair = z.object({
  code: z.string().describe('A folder of the code, as a glob that `.docwright/map.yml` takes.'),
  page: z.string(),
  together: z.int().describe('Commits that changed both.'),
  of: z.int().describe('Commits that changed the code.'),
  said: z
    .enum(['documents', 'never', 'leaveOut'])
    .nullable()
    .describe('What `.docwright/map.yml` says of the two.'),
})

export const mapAnswer = z
  .object({
    pairs: z.array(pair).describe('What is surest first, up to 200.'),
    commits: z.int().describe('Commits that were looked at.'),
    hasFile: z.boolean().describe('There is a `.docwright/map.yml`.'),
    mapProblem: z.string().nullable().describe('What is wrong with it.'),
  })
  .openapi('ChangeMap', { description: 'Which pages changed with which code before.' })

export const stillTrueAnswer = z
  .object({ commit: z.string(), path: z.string() })
  .openapi('StillTrue', { description: 'A page that is still true after a change.' })
