import { z } from '@hono/zod-openapi'
import { jobStates } from '../features/agent/job-state.ts'
import { smallestAmount } from '../lib/smallest-amount.ts'

/** The shapes of requests and responses that several operations share. */

export const errorBody = z
  .object({ error: z.string().describe('What is wrong and what to do, in words for people.') })
  .openapi('Error', { description: 'What every error answers.' })

export const emptyBody = z.object({}).openapi('Empty', { description: 'Nothing more to say: it is done.' })

const promptRule = 'must be text of 1 to 100,000 characters'
const prompt = textUpTo(100_000, promptRule)
  .min(1, promptRule)
  .openapi({ description: 'Instruction for the agent.', example: 'Fix broken links in guides/' })

const wholeUpTo = (most: number): z.ZodNumber => {
  const rule = `must be a whole number from 1 to ${most}`
  return z.number({ error: rule }).int(rule).min(1, rule).max(most, rule)
}
const amountUpTo = (most: number): z.ZodNumber => {
  const rule = `must be a number above 0, at most ${most}`
  return z.number({ error: rule }).min(smallestAmount, rule).max(most, rule)
}

const budget = z
  .object(
    {
      steps: wholeUpTo(10_000).nullish().describe('Model calls.'),
      tokens: wholeUpTo(1_000_000_000).nullish().describe('Tokens in and out together.'),
      cost: amountUpTo(100_000).nullish().describe('US dollars.'),
      minutes: amountUpTo(1440).nullish().describe('Minutes of work.'),
    },
    { error: 'must be an object with `steps`, `tokens`, `cost` or `minutes`' },
  )
  .openapi('JobBudget', { description: 'Limits of the work on one prompt; an absent one is the project’s.' })

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
    },
    { error: 'send a JSON object with a `prompt`' },
  )
  .openapi('CreateJob', { description: 'A prompt for a new job.' })

export type CreateJobBody = z.infer<typeof createJobBody>

export const messageBody = z
  .object({ prompt }, { error: 'send a JSON object with a `prompt`' })
  .openapi('JobMessage', { description: 'A follow-up prompt.' })

const jobStatuses = ['active', 'completed', 'archived', 'failed'] as const
export const jobStatus = z
  .enum(jobStatuses, `must be one of ${jobStatuses.join(', ')}`)
  .openapi('JobStatus', { description: 'The status of a job, of which `archived` is final.' })

export const allowedKind = z
  .enum(['host', 'import'])
  .openapi('AllowedKind', { description: 'What may be allowed in a job.' })

const approval = z
  .object({
    kind: allowedKind,
    value: z.string().min(1).max(2000).describe('The host, or the module as the page imports it.'),
  })
  .openapi('Allowed', { description: 'A host or a module that the policy lets through in one job.' })

export const approveBody = approval
  .extend({
    always: z
      .boolean()
      .optional()
      .describe('Also adds it to the settings `allowedHosts` or `allowedImports` of the project.'),
  })
  .openapi('Approval', { description: 'What a person allows in one job, or always.' })

const fileProblem = z
  .object({
    path: z.string(),
    line: z.int().nullable(),
    message: z.string(),
    approval: approval
      .optional()
      .describe('What a person may allow in this job, so that the policy lets it through.'),
  })
  .openapi('FileProblem', { description: 'What is wrong with a file that a turn has left.' })

export const failureBody = z
  .object({
    code: z.string(),
    message: z.string(),
    files: z.array(fileProblem).optional().describe('What is wrong with the files that the turn has left.'),
  })
  .openapi('Failure', { description: 'Why a turn failed.' })

/** Where a job stands, finer than its status. */
export const jobState = z
  .enum(jobStates, `must be one of ${jobStates.join(', ')}`)
  .openapi('JobState', { description: 'Where a job stands, finer than its status.' })
export const turnOutcome = z
  .enum(['changed', 'no_change', 'needs_input', 'nothing_done', 'failed'])
  .openapi('TurnOutcome', { description: 'What a turn came to.' })

export const pullRequestState = z
  .enum(['open', 'merged', 'closed'])
  .openapi('PullRequestState', { description: 'The state of a pull request.' })

const waiting = z
  .object({
    for: z.enum(['host', 'model', 'machine']),
    until: z.iso.datetime(),
    message: z.string(),
  })
  .openapi('Waiting', { description: 'What a turn waits for, and when it goes on by itself.' })

const askedBy = z
  .object({
    kind: z
      .enum(['person', 'key', 'operator', 'comment'])
      .describe(
        '`operator`: the command on the server, or somebody who signed in with its link. `comment`: its author on a git host.',
      ),
    name: z.string(),
    id: z.string().optional().describe('Of the person or the key.'),
  })
  .openapi('AskedBy', { description: 'Who started a job or sent a prompt.' })

/** What models have used, as every answer says it. */
export const used = {
  inputTokens: z.int(),
  cachedInputTokens: z.int().describe('Input tokens that came from the provider’s cache.'),
  outputTokens: z.int(),
  cost: z.number().nullable().describe('US dollars; null when a price is unknown.'),
}

const tokenUsage = z
  .object(used)
  .openapi('TokenUsage', { description: 'What the models of a job have used.' })

const jobPullRequest = z
  .object({ link: z.url(), number: z.int(), state: pullRequestState })
  .openapi('JobPullRequest', { description: 'The pull request of a job.' })

const jobCheck = z
  .object({
    check: z.string(),
    severity: z.enum(['error', 'warning']),
    path: z.string(),
    line: z.int().nullable(),
    message: z.string(),
    hint: z.string().nullable().describe('What to do about it.'),
    approval: approval
      .optional()
      .describe('With the check `policy`: what a person may allow, so that what was left out is published.'),
  })
  .openapi('JobCheck', { description: 'A problem that the checks of a job found.' })

const jobChange = z
  .object({
    path: z.string(),
    oldPath: z.string().nullable(),
    status: z.enum(['added', 'modified', 'deleted', 'renamed']),
    additions: z.int(),
    deletions: z.int(),
    kept: z
      .boolean()
      .describe('The newest changes of this file were not published; they are kept on the server.'),
  })
  .openapi('JobChange', { description: 'What a job changed in one file.' })

export const jobBody = z
  .object({
    id: z.string(),
    status: jobStatus,
    source: z.object({
      repository: z.string().describe('Full URL of the repository.'),
      ref: z.string().nullable().describe('Branch that the agent works on.'),
    }),
    model: z.string(),
    prLink: z
      .url()
      .nullable()
      .describe('Pull request; null while the job is active or when no file changed.'),
    createdAt: z.iso.datetime(),
    archivedAt: z.iso.datetime().nullable(),
    pullRequest: jobPullRequest
      .nullable()
      .describe('The pull request as soon as one exists, also while the job is active.'),
    title: z.string().nullable(),
    failure: failureBody.nullable().describe('Why the last turn failed.'),
    outcome: turnOutcome
      .nullable()
      .describe(
        'What the last turn came to; null while the job is active. `needs_input`: the agent asks something. `nothing_done`: it said that it was done, but no file was changed.',
      ),
    state: jobState.describe(
      'Where the job stands, finer than `status`. `open`, `merged` and `closed` are of its pull request. `not_understood`: the built-in model knows no such request, and changed nothing. `cancelled`: somebody ended it; its status is `failed`.',
    ),
    question: z
      .object({ text: z.string(), askedAt: z.iso.datetime() })
      .nullable()
      .describe('What the agent asks. The next message answers it.'),
    waiting: waiting.nullable().describe('Why the job does not go on now, and when it does so by itself.'),
    createdBy: askedBy.nullable().describe('Who started the job; null for jobs of older versions.'),
    turns: z.int().describe('Prompts so far, queued ones included.'),
    usage: tokenUsage,
    checks: z.array(jobCheck),
    changes: z.array(jobChange),
    kept: z
      .object({ turn: z.int().describe('The turn that made the changes.') })
      .nullable()
      .describe(
        'Set when a turn ended without publishing its changes, or not all of them. A follow-up goes on from them, and `publish` opens a draft with them.',
      ),
  })
  .openapi('Job', { description: 'A job: one prompt or several, one branch, one pull request.' })

export const jobListBody = z
  .object({ jobs: z.array(jobBody), nextCursor: z.string().nullable() })
  .openapi('JobList', { description: 'A page of jobs, the newest first.' })

const turn = z
  .object({
    n: z.int(),
    prompt: z.string(),
    author: z
      .string()
      .nullable()
      .describe('Author of the comment on the git host that is this prompt, as the host names them.'),
    askedBy: askedBy.nullable().describe('Who sent the prompt; null in jobs of older versions.'),
    status: z.enum(['queued', 'running', 'completed', 'failed', 'cancelled']),
    outcome: turnOutcome.nullable().describe('What the turn came to; null until it has ended.'),
    summary: z
      .string()
      .nullable()
      .describe('What the agent did, why it changed nothing, or what it asks. Markdown.'),
    failure: failureBody.nullable(),
    waiting: waiting
      .nullable()
      .describe('Set while it waits for the git host, the model or the server’s machine.'),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso.datetime().nullable(),
  })
  .openapi('Turn', { description: 'One prompt of a job and what came of it.' })

export const turnListBody = z
  .object({ turns: z.array(turn) })
  .openapi('TurnList', { description: 'The turns of a job, in order.' })

export type JobBody = z.infer<typeof jobBody>

/** A text with at most `longest` characters, counted as code points instead of UTF-16 units. */
export function textUpTo(longest: number, rule: string): z.ZodString {
  const fits = new RegExp(`^.{0,${longest}}$`, 'su')
  return z
    .string({ error: rule })
    .refine((text) => fits.test(text), rule)
    .openapi({ maxLength: longest })
}
