import { z } from '@hono/zod-openapi'
import { jobStates } from '../../features/agent/job-state.ts'
import { used } from '../usage/answers.ts'

const jobStatuses = ['active', 'completed', 'archived', 'failed'] as const
export const jobStatus = z
  .enum(jobStatuses, `must be one of ${jobStatuses.join(', ')}`)
  .openapi('JobStatus', { description: 'The status of a job, of which `archived` is final.' })

export const allowedKind = z
  .enum(['host', 'import', 'part'])
  .openapi('AllowedKind', { description: 'What may be allowed in a job.' })

export const approval = z
  .object({
    kind: allowedKind,
    value: z
      .string()
      .min(1)
      .max(2000)
      .describe('The host, the module as the page imports it, or the part as the policy names it.'),
  })
  .openapi('Allowed', { description: 'What the policy lets through in one job.' })

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
  .openapi('TurnOutcome', { description: 'Outcome of a turn.' })

export const pullRequestState = z
  .enum(['open', 'merged', 'closed'])
  .openapi('PullRequestState', { description: 'The state of a pull request.' })

const waiting = z
  .object({
    for: z.enum(['host', 'model', 'machine']),
    until: z.iso.datetime(),
    message: z.string(),
  })
  .openapi('Waiting', { description: 'What a turn waits for, and when it continues automatically.' })

const askedBy = z
  .object({
    kind: z
      .enum(['person', 'key', 'operator', 'comment', 'automation'])
      .describe(
        '`operator`: the command on the server, or someone who signed in with its link. `comment`: its author on a git host. `automation`: a rule.',
      ),
    name: z.string(),
    id: z.string().optional().describe('Of the person, the key, or the automation.'),
  })
  .openapi('AskedBy', { description: 'Who started a job or sent a prompt.' })

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
        'Outcome of the last turn; null while the job is active. `needs_input`: the agent asks something. `nothing_done`: it said that it was done, but no file was changed.',
      ),
    state: jobState.describe(
      'Where the job stands, finer than `status`. `open`, `merged` and `closed` are of its pull request. `not_understood`: the built-in model doesn’t support the request, and changed nothing. `cancelled`: someone ended it; its status is `failed`.',
    ),
    nothingChanged: z
      .string()
      .nullable()
      .describe(
        'Why the last turn changed nothing, in at most 1,000 characters of Markdown; null where it did.',
      ),
    question: z
      .object({
        text: z.string(),
        askedAt: z.iso.datetime(),
        choices: z
          .array(
            z.object({ label: z.string(), note: z.string().optional(), suggested: z.boolean().optional() }),
          )
          .describe(
            'Answers that the agent offers; any other text is an answer too. They end the text as a list.',
          ),
      })
      .nullable()
      .describe('What the agent asks. The next message answers it.'),
    waiting: waiting
      .nullable()
      .describe('Why the job does not go on now, and when it does so automatically.'),
    createdBy: askedBy.nullable().describe('Who started the job; null for jobs of older versions.'),
    turns: z.int().describe('Prompts so far, queued ones included.'),
    usage: tokenUsage,
    checks: z.array(jobCheck),
    changes: z.array(jobChange),
    kept: z
      .object({ turn: z.int().describe('The turn that made the changes.') })
      .nullable()
      .describe(
        'Set when a turn ended without publishing its changes, or not all of them. A follow-up continues from them, and `publish` opens a draft with them.',
      ),
  })
  .openapi('Job', { description: 'A job: one prompt or several, one branch, one pull request.' })

export const jobListBody = z
  .object({ jobs: z.array(jobBody), nextCursor: z.string().nullable() })
  .openapi('JobList', { description: 'A page of jobs, newest first.' })

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
    outcome: turnOutcome.nullable().describe('Outcome of the turn; null until it has ended.'),
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

/** An event as the terminal reads it, of whatever type. */
export const eventAnswer = z.object({
  id: z.int().describe('1, 2, 3 … without gaps within a job.'),
  turn: z.int().describe('The turn’s number within the job.'),
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
  createdAt: z.iso.datetime(),
})
