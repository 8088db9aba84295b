import { z } from '@hono/zod-openapi'
import { isRange, isReference } from '../../features/agent/about-change.ts'
import { amountUpTo } from '../../lib/amount.ts'
import { textUpTo } from '../../lib/text/text-up-to.ts'
import { wholeNumber } from '../../lib/whole-number.ts'
import { approval } from './answers.ts'

const promptRule = 'must be a string of 1 to 100,000 characters'
const prompt = textUpTo(100_000, promptRule)
  .min(1, promptRule)
  .openapi({ description: 'Instruction for the agent.', example: 'Fix broken links in guides/' })

const budget = z
  .object(
    {
      steps: wholeNumber(1, 10_000).nullish().describe('Model calls.'),
      tokens: wholeNumber(1, 1_000_000_000).nullish().describe('Tokens in and out together.'),
      cost: amountUpTo(100_000).nullish().describe('USD.'),
      minutes: amountUpTo(1440).nullish().describe('Minutes of work.'),
    },
    { error: 'must be an object with `steps`, `tokens`, `cost` or `minutes`' },
  )
  .openapi('JobBudget', { description: 'Limits of the work on one prompt; an absent one is the project’s.' })

const reference = (rule: string) => z.string({ error: rule }).refine(isReference, rule)
const commitRule = 'must be a commit, a tag or a branch'
const rangeRule = 'must be two commits, tags or branches: from..to'
const oneOf = 'must have exactly one of `commit`, `pullRequest` and `range`'

const aboutChange = z
  .object(
    {
      repository: textUpTo(100, 'must be the name of a context repository of the project')
        .nullish()
        .describe('Name of a context repository; the project’s own when absent.'),
      commit: reference(commitRule)
        .nullish()
        .openapi({ maxLength: 200 })
        .describe('A commit, a tag or a branch.'),
      pullRequest: wholeNumber(1, 1_000_000_000).nullish().describe('The number of a pull request.'),
      range: z
        .string({ error: rangeRule })
        .refine(isRange, rangeRule)
        .nullish()
        .openapi({ maxLength: 403 })
        .describe('Two commits, tags or branches: `from..to`.'),
    },
    { error: `must be an object; it ${oneOf}` },
  )
  .refine(
    ({ commit, pullRequest, range }) =>
      [commit, pullRequest, range].filter((one) => one != null).length === 1,
    oneOf,
  )
  .openapi('AboutChange', {
    description: 'A change of code that the job documents: one of `commit`, `pullRequest` and `range`.',
  })

export const createJobBody = z
  .object(
    {
      prompt,
      base: z
        .string({ error: 'must be the name of a branch' })
        .min(1, 'must be the name of a branch')
        .max(250, 'must be the name of a branch')
        .nullish()
        .describe('Branch to start from; the project’s own when absent.'),
      model: z
        .string({ error: 'must be the name of a model' })
        .min(1, 'must be the name of a model')
        .max(200, 'must be the name of a model')
        .nullish()
        .describe('Model to use; the server’s own when absent.'),
      draft: z
        .boolean({ error: 'must be true or false' })
        .nullish()
        .describe('Open the pull request as a draft.'),
      budget: budget
        .describe('Limits of the work on each prompt, within those of the project and the server.')
        .nullish(),
      about: aboutChange
        .describe(
          'The change of code to document: the agent begins with its diff and the pages that name what it changes.',
        )
        .nullish(),
    },
    { error: 'must be a JSON object with a `prompt` field' },
  )
  .openapi('CreateJob', { description: 'A prompt for a new job.' })

export type CreateJobBody = z.infer<typeof createJobBody>

export const messageBody = z
  .object({ prompt }, { error: 'must be a JSON object with a `prompt` field' })
  .openapi('JobMessage', { description: 'A follow-up prompt.' })

export const approveBody = approval
  .extend({
    always: z
      .boolean()
      .optional()
      .describe(
        'Also adds it to the settings `allowedHosts`, `allowedImports` or `allowedParts` of the project.',
      ),
  })
  .openapi('Approval', { description: 'What a person allows in one job, or always.' })
