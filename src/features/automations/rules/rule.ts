import { z } from 'zod'
import { isUsableGlob } from '../../../site/text/glob.ts'
import { presetNames } from './preset-names.ts'
import { scheduleProblem } from './schedule.ts'

export const longestInstructions = 20_000
export const mostRunsADay = 10

const text = (most: number) =>
  z
    .string({ error: `must be a string of 1 to ${most} characters` })
    .trim()
    .min(1, `must be a string of 1 to ${most} characters`)
    .max(most, `must be a string of 1 to ${most} characters`)
const whole = (most: number) => {
  const rule = `must be an integer from 1 to ${most.toLocaleString('en')}`
  return z.int({ error: rule }).min(1, rule).max(most, rule)
}
const yesOrNo = z.boolean({ error: 'must be true or false' })
const repo = text(200).describe('Absent: the repository of the docs.')
const glob = text(300).refine(isUsableGlob, 'must be a glob such as src/**/*.ts')

const pushed = z.strictObject(
  {
    repo: repo.optional(),
    branch: text(250).optional(),
    paths: z.array(glob, { error: 'must be a list of globs' }).min(1).max(50).optional(),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'must have repo, branch, or paths' : undefined) },
)
const proposed = z.strictObject(
  { repo: repo.optional(), branch: text(250).optional(), job: yesOrNo.default(false) },
  { error: (issue) => (issue.code === 'invalid_type' ? 'must have repo, branch, or job' : undefined) },
)
const tagged = z.strictObject(
  { repo: repo.optional(), name: glob.optional() },
  { error: (issue) => (issue.code === 'invalid_type' ? 'must have repo or name' : undefined) },
)
const clock = z
  .strictObject({ cron: text(100), zone: text(60).default('UTC') })
  .superRefine(({ cron, zone }, context) => {
    const problem = scheduleProblem(cron, zone)
    if (problem) context.addIssue({ code: 'custom', path: [problem.field], message: problem.message })
  })
const several = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value ?? {}]),
    z.array(item).min(1, 'must not be empty').max(10, 'must be at most 10').optional(),
  )

const triggers = z
  .strictObject(
    {
      push: several(pushed),
      merged: several(pushed),
      pull: several(proposed),
      tag: several(tagged),
      schedule: z
        .preprocess((value) => (typeof value === 'string' ? { cron: value } : value), clock)
        .optional(),
      gap: z
        .preprocess((value) => value ?? {}, z.strictObject({ questions: whole(1000).default(3) }))
        .optional(),
    },
    { error: (issue) => (issue.code === 'invalid_type' ? 'must name a trigger' : undefined) },
  )
  .describe('A rule without triggers starts by call alone.')

export const ruleFields = z.strictObject({
  name: text(100),
  type: z.enum(presetNames, { error: `must be one of ${presetNames.join(', ')}` }).optional(),
  on: triggers.optional(),
  context: z.array(repo, { error: 'must be a list of context repositories' }).max(10).optional(),
  base: text(250).optional(),
  update: yesOrNo.default(true),
  group: z.enum(['day', 'week'], { error: 'must be day or week' }).optional(),
  impact: z
    .enum(['certain', 'likely', 'any'], { error: 'must be certain, likely, or any' })
    .default('certain'),
  draft: yesOrNo.default(true),
  automerge: yesOrNo.default(false),
  model: text(200).optional(),
  budget: z
    .strictObject({
      steps: whole(10_000).optional(),
      tokens: whole(1_000_000_000).optional(),
      cost: z
        .number({ error: 'must be an amount in USD' })
        .positive('must be an amount in USD')
        .max(100_000)
        .optional(),
      minutes: whole(1440).optional(),
    })
    .optional(),
  limits: z.strictObject({ runs: whole(100).default(mostRunsADay) }).default({ runs: mostRunsADay }),
})

export const rule = ruleFields.extend({ instructions: z.string() })

/** When the agent gets work, and what it is told. */
export type Rule = z.output<typeof rule>

export type PushTrigger = z.output<typeof pushed>
