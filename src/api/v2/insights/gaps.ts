import { z } from '@hono/zod-openapi'
import {
  changeGap,
  gapCauses,
  gapStates,
  getGap,
  listGaps,
  mergeGaps,
  readDetails,
  usualReturn,
  type Gap,
} from '../../../features/assistant/gaps/gaps.ts'
import { listExchanges } from '../../../features/assistant/insights/conversations.ts'
import { askedBy } from '../../../features/projects/allow.ts'
import type { Project } from '../../../features/projects/projects.ts'
import { AppError } from '../../../lib/errors.ts'
import { hasUnstorable } from '../../../lib/text/plain-text.ts'
import { nextOffset, offsetCursor } from '../../cursors.ts'
import { limitUpTo, operations } from '../../description/operation.ts'
import type { Endpoint, RequestContext } from '../../endpoint.ts'
import { absolute, jobToBody, oneJob, type JobEndpointPorts } from '../agent/job-body.ts'
import { createGapJob } from './create-gap-job.ts'
import { exchangeBody } from './exchange.ts'
import { jobBody, jobStatus, pullRequestState } from '../../../nouns/jobs/answers.ts'
import { answerOutcome, exchange } from '../../../nouns/insights/answers.ts'

const counts = Object.fromEntries(gapCauses.map((cause) => [cause, z.int()])) as Record<
  (typeof gapCauses)[number],
  z.ZodInt
>

const gapState = z
  .enum(gapStates, `must be one of ${gapStates.join(', ')}`)
  .openapi('GapState', { description: 'What became of a content gap.' })

const gap = z
  .object({
    id: z.string(),
    name: z.string(),
    namedBy: z.enum(['words', 'model', 'person']),
    state: gapState.describe(
      '`in_work`: a job writes, or its pull request is open. `published`: it was merged, and the questions are asked again soon. `answered`, `still_open`: what came of that.',
    ),
    questions: z.int().describe('Questions, and searches without result that were repeated.'),
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
      .describe('Pages that come closest, at most three.'),
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
  exchanges: z.array(exchange).describe('The questions with their answers, the oldest first, at most 100.'),
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
const days = limitUpTo(366, 30).describe('How many days `trend` compares.')

export const gapChange = z
  .object({
    name: name.optional().describe('A name of yours, which stays.'),
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
  instructions: z.string().max(10_000).optional().describe('What the agent should know or heed besides.'),
  base: z.string().optional().describe('The branch to start from; the project’s when absent.'),
  model: z.string().optional().describe('The model; the project’s when absent.'),
  draft: z.boolean().optional().describe('Opens the pull request as a draft.'),
})

/** What the documentation does not answer well, by topic, and jobs that close such gaps. */
export function gapEndpoints({ access, jobs, addresses }: JobEndpointPorts): Endpoint[] {
  const { onProject } = operations(access, 'Insights')
  const { store } = jobs
  const path = '/v2/insights/{projectId}/gaps'
  const bodyOf = (one: Gap): z.output<typeof gap> => ({
    ...one,
    firstAskedAt: one.firstAskedAt.toISOString(),
    lastAskedAt: one.lastAskedAt.toISOString(),
    dismissed: one.dismissed && { ...one.dismissed, at: one.dismissed.at.toISOString() },
    check: one.check && { ...one.check, at: one.check.at.toISOString() },
    job: one.job && {
      ...one.job,
      status: jobStatus.parse(one.job.status),
      pullRequest: one.job.pullRequest && {
        ...one.job.pullRequest,
        link: absolute(addresses.publicUrl(), one.job.pullRequest.link),
      },
    },
  })
  const shown = async (project: Project, id: string, trend = 30): Promise<z.output<typeof gap>> =>
    bodyOf(await getGap(store.db, project.id, id, trend))
  return [
    onProject('listGaps', `get ${path}`, 'List gaps', {
      description:
        'Topics that readers ask about and the documentation does not answer well: questions without an answer, with a partial one, without sources or that readers disliked, and repeated searches without result. Those asked about most in the last days come first. New questions are grouped within a minute.',
      query: z.object({
        days,
        state: gapState.optional(),
        limit: limitUpTo(500, 20).describe('At most this many.'),
        cursor: offsetCursor.optional().describe('`nextCursor` of the page before.'),
      }),
      answer: [
        200,
        'The gaps',
        z.object({
          gaps: z.array(gap),
          nextCursor: z.string().nullable().describe('Null on the last page.'),
        }),
      ],
      async handle({ project, query: { days: trend, state, limit, cursor = '0' } }) {
        const offset = Number(cursor)
        const found = await listGaps(store.db, project.id, { days: trend, state, offset, limit: limit + 1 })
        return {
          gaps: found.slice(0, limit).map(bodyOf),
          nextCursor: nextOffset(found.length, { offset, limit }),
        }
      },
    }),
    onProject('getGap', `get ${path}/{gap}`, 'Get a gap', {
      description: 'A gap with its questions, what they were answered in which thread, and its searches.',
      query: z.object({ days }),
      answer: [200, 'The gap', wholeGap],
      async handle({ context, project, query: { days: trend } }) {
        const id = gapIn(context)
        const found = await shown(project, id, trend)
        const options = { filter: { gapId: id }, limit: 100 }
        const { rows: exchanges } = await listExchanges(store.db, project.id, options)
        const { searches, checks } = await readDetails(store.db, id)
        return {
          ...found,
          exchanges: exchanges.map(exchangeBody),
          searches: searches.map((one) => ({ ...one, lastAskedAt: one.lastAskedAt.toISOString() })),
          checks,
        }
      },
    }),
    onProject('changeGap', `patch ${path}/{gap}`, 'Rename, dismiss or reopen a gap', {
      description: 'A dismissed gap is open again when more is asked.',
      body: gapChange,
      answer: [200, 'The gap', gap],
      async handle({ context, project, body }) {
        const id = gapIn(context)
        await store.transaction((tx) => changeGap(tx, project.id, id, body))
        return shown(project, id)
      },
    }),
    onProject('mergeGaps', `post ${path}/{gap}/merge`, 'Merge two gaps', {
      description: 'Moves the questions and jobs of another gap to this one. The other gap is gone then.',
      body: z.object({ from: z.string().describe('Id of the gap that ends.') }),
      answer: [200, 'The gap that stays', gap],
      async handle({ context, project, body: { from } }) {
        const id = gapIn(context)
        if (from === id) throw new AppError('invalid', '`from` must be another gap')
        await store.transaction((tx) => mergeGaps(tx, project.id, from, id))
        return shown(project, id)
      },
    }),
    onProject('createGapJob', `post ${path}/{gap}/job`, 'Create a job for a gap', {
      description:
        'Creates an agent job that is shown the questions, what they were answered and the closest pages as information. While a job works on the gap, its pull request is open, or its questions are still to be asked again, that job is returned with status 200 and nothing is created. Counts as a new job.',
      body: newJob,
      errors: [429],
      answer: [201, 'The new job', jobBody],
      also: { 200: { ...oneJob, description: 'The job that is there already' } },
      async handle({ context, project, caller, body }) {
        const input = { ...body, askedBy: askedBy(caller) }
        const { job, isNew } = await createGapJob(jobs, project, gapIn(context), input)
        const shownJob = jobToBody(job, project, addresses)
        return isNew ? shownJob : context.json(shownJob, 200)
      },
    }),
  ]
}

function gapIn(context: RequestContext): string {
  const id = context.req.param('gap') ?? ''
  if (hasUnstorable(id)) throw new AppError('not_found', 'There is no such gap; see the list of gaps')
  return id
}
