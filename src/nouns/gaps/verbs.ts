import { limitUpTo, offsetCursor } from '../../lib/list-query.ts'
import { z } from '@hono/zod-openapi'
import type { GapCauseColumn } from '../../store/columns.ts'
import { defineVerb } from '../../verbs/verb.ts'
import { answerOutcome, exchange } from '../insights/answers.ts'
import { jobBody, jobStatus, pullRequestState } from '../jobs/answers.ts'

export const gapCauses = [
  'nothing_found',
  'weak',
  'uncited',
  'partial',
  'downvoted',
  'search',
] as const satisfies readonly GapCauseColumn[]

/**
 * `in_work`: a job writes, or its pull request is open. `published`: it was merged and is not checked yet. `answered` and
 * `still_open`: what the check found. A gap that is dismissed or answered is open again when more is asked.
 */
export const gapStates = ['open', 'dismissed', 'in_work', 'published', 'answered', 'still_open'] as const
export type GapState = (typeof gapStates)[number]

/** The questions after which a dismissed gap is open again. */
export const usualReturn = 5
/** Days that the trend compares. */
export const usualDays = 30

const counts = Object.fromEntries(gapCauses.map((cause) => [cause, z.int()])) as Record<
  (typeof gapCauses)[number],
  z.ZodInt
>

const gapState = z
  .enum(gapStates, `must be one of ${gapStates.join(', ')}`)
  .openapi('GapState', { description: 'State of a content gap.' })

const gap = z
  .object({
    id: z.string(),
    name: z.string(),
    namedBy: z.enum(['words', 'model', 'person']),
    state: gapState.describe(
      '`in_work`: a job writes, or its pull request is open. `published`: it was merged, and the questions are checked again soon. `answered`, `still_open`: the result of that.',
    ),
    questions: z.int().describe('Questions, and searches with no results that were repeated.'),
    askers: z.int().describe('How many different `fp` asked.'),
    causes: z.object(counts),
    trend: z.object({
      now: z.int().describe('Questions of the last days.'),
      before: z.int().describe('Questions of as many days before.'),
    }),
    firstAskedAt: z.iso.datetime(),
    lastAskedAt: z.iso.datetime(),
    examples: z.array(z.string()).describe('The newest questions, at most three.'),
    nearest: z
      .array(
        z.object({ path: z.string(), url: z.string(), title: z.string(), heading: z.string().nullable() }),
      )
      .describe('Closest pages, at most three.'),
    dismissed: z
      .object({ at: z.iso.datetime(), reason: z.string().nullable(), returnsAfter: z.int() })
      .nullable(),
    job: z
      .object({
        id: z.string(),
        status: jobStatus,
        pullRequest: z.object({ link: z.string(), number: z.int(), state: pullRequestState }).nullable(),
      })
      .nullable()
      .describe('The newest job that was made for it.'),
    check: z
      .object({ verdict: z.enum(['answered', 'still_open']), at: z.iso.datetime() })
      .nullable()
      .describe('What came of asking again after the merge.'),
  })
  .openapi('Gap', { description: 'A topic that the documentation does not answer.' })

const wholeGap = gap.extend({
  exchanges: z.array(exchange).describe('The questions with their answers, oldest first, at most 100.'),
  searches: z.array(z.object({ query: z.string(), searches: z.int(), lastAskedAt: z.iso.datetime() })),
  checks: z
    .array(
      z.object({
        question: z.string(),
        outcome: answerOutcome,
        cited: z.boolean().describe('Whether the answer cites a page that was changed.'),
      }),
    )
    .describe('The questions that were asked again.'),
})

const nameRule = 'must be text of 1 to 80 characters that can be stored'
const name = z
  .string()
  .trim()
  .min(1, nameRule)
  .max(80, nameRule)
  .refine((value) => !/\p{Cc}/u.test(value), nameRule)
const days = limitUpTo(366, usualDays).describe('How many days `trend` compares.')

const gapChange = z
  .object({
    name: name.optional().describe('Your own name, which stays.'),
    dismissed: z
      .boolean()
      .optional()
      .describe('`true`: it needs no page, until it is asked about again. `false`: it is open.'),
    reason: z.string().max(500).optional().describe('Why it is dismissed.'),
    returnsAfter: z
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe(`The questions after which a dismissed gap is open again; ${usualReturn} when absent.`),
  })
  .refine(({ name: given, dismissed }) => given !== undefined || dismissed !== undefined, {
    message: 'name `name` or `dismissed`',
  })

const newJob = z.object({
  instructions: z.string().max(10_000).optional().describe('Extra instructions for the agent.'),
  base: z.string().optional().describe('The branch to start from; the project’s when absent.'),
  model: z.string().optional().describe('The model; the project’s when absent.'),
  draft: z.boolean().optional().describe('Opens the pull request as a draft.'),
})

const path = '/v2/insights/{projectId}/gaps'
const daysWords = { label: 'Days', option: '--days <number>', help: 'number of days to rank by' }

export const listGaps = defineVerb({
  name: 'listGaps',
  address: `get ${path}`,
  tag: 'Insights',
  summary: 'List gaps',
  description:
    'Topics that readers ask about and the documentation does not answer well: questions without an answer, with a partial one, without sources or that readers disliked, and repeated searches with no results. Those asked about most in the last days come first. New questions are grouped within a minute.',
  input: z.object({
    days,
    state: gapState.optional(),
    limit: limitUpTo(500, 20).describe('At most this many.'),
    cursor: offsetCursor.optional().describe('`nextCursor` of the page before.'),
  }),
  output: z.object({
    gaps: z.array(gap),
    nextCursor: z.string().nullable().describe('Null on the last page.'),
  }),
  answer: [200, 'The gaps'],
  fields: {
    days: daysWords,
    state: {
      label: 'State',
      option: '--state <state>',
      help: 'open, dismissed, in_work, published, answered, or still_open',
    },
    limit: { label: 'At most', option: '--limit <number>', help: 'maximum number of results, up to 500' },
    cursor: { label: 'Page' },
  },
})

export const getGap = defineVerb({
  name: 'getGap',
  address: `get ${path}/{gap}`,
  tag: 'Insights',
  summary: 'Get a gap',
  description: 'A gap with its questions, what they were answered in which thread, and its searches.',
  input: z.object({ days }),
  output: wholeGap,
  answer: [200, 'The gap'],
  fields: { days: daysWords },
})

export const changeGap = defineVerb({
  name: 'changeGap',
  address: `patch ${path}/{gap}`,
  tag: 'Insights',
  summary: 'Rename, dismiss or reopen a gap',
  description: 'A dismissed gap is open again when more is asked.',
  input: gapChange,
  output: gap,
  answer: [200, 'The gap'],
  fields: {
    name: { label: 'Name' },
    dismissed: { label: 'Dismissed' },
    reason: { label: 'Why', placeholder: 'Not planned', option: '--reason <text>', help: 'why' },
    returnsAfter: {
      label: 'Reopen after this many new questions',
      option: '--returns-after <number>',
      help: `the questions after which it is open again (default: ${usualReturn})`,
    },
  },
})

export const mergeGaps = defineVerb({
  name: 'mergeGaps',
  address: `post ${path}/{gap}/merge`,
  tag: 'Insights',
  summary: 'Merge two gaps',
  description:
    'Moves the questions and jobs of another gap to this one. The other gap no longer exists then.',
  input: z.object({ from: z.string().describe('Id of the gap that ends.') }),
  output: gap,
  answer: [200, 'The gap that stays'],
  fields: { from: { label: 'Gap to merge. Its questions move here and it’s deleted' } },
})

export const createGapJob = defineVerb({
  name: 'createGapJob',
  address: `post ${path}/{gap}/job`,
  tag: 'Insights',
  summary: 'Create a job for a gap',
  description:
    'Creates an agent job that is shown the questions, what they were answered and the closest pages as information. While a job works on the gap, its pull request is open, or its questions are still to be checked, that job is returned with status 200 and nothing is created. Counts as a new job.',
  input: newJob,
  output: jobBody,
  answer: [201, 'The new job'],
  otherwise: [200, 'The job that is there already'],
  errors: [429],
  fields: {
    instructions: {
      label: 'Additional instructions',
      hint: 'optional',
      placeholder: 'Redis is not supported; say what to use instead.',
      rows: 3,
      option: '--instructions <text>',
      help: 'additional instructions for the agent',
    },
    base: { label: 'Branch', option: '--base <branch>', help: 'the branch to start from' },
    model: { label: 'Model', option: '--model <provider:model>', help: 'the model' },
    draft: {
      label: 'Open the pull request as a draft',
      option: '--draft',
      help: 'open the pull request as a draft',
    },
  },
})
