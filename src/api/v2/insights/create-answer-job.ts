import { z } from '@hono/zod-openapi'
import { createJob, type NewJob } from '../../../features/agent/create-job.ts'
import type { Job } from '../../../features/agent/jobs.ts'
import type { JobPorts } from '../../../features/agent/ports.ts'
import { workOfAnswer } from '../../../features/assistant/insights/work-of-answer.ts'
import { askedBy } from '../../../features/projects/allow.ts'
import { countLimits, limits, useBy } from '../../../features/projects/limits.ts'
import type { Project } from '../../../features/projects/projects.ts'
import { AppError } from '../../../lib/errors.ts'
import { hasUnstorable } from '../../../lib/text/plain-text.ts'
import { readWholeNumber } from '../../../lib/whole-number.ts'
import { operations } from '../../description/operation.ts'
import type { Endpoint } from '../../endpoint.ts'
import { jobToBody, type JobEndpointPorts } from '../agent/job-body.ts'
import { jobBody } from '../../../nouns/jobs/answers.ts'

/** A question to the assistant, by its thread and its number there. */
export interface AnsweredQuestion {
  threadId: string
  n: number
}

/**
 * Creates a job that improves the documentation where an answer was not good.
 * @param options without a prompt: find out what is true, and correct or complete the pages
 * @throws AppError `not_found`, and what `createJob` throws
 */
export async function createAnswerJob(
  jobs: JobPorts,
  project: Project,
  answer: AnsweredQuestion,
  { prompt, ...options }: Omit<NewJob, 'prompt' | 'answer' | 'evidence'> & { prompt?: string | undefined },
): Promise<Job> {
  const work = await workOfAnswer(jobs.store.db, project.id, answer)
  if (!work) throw answerGone()
  const input = { ...work, ...options, prompt: prompt ?? work.prompt, answer }
  const uses = [useBy(project, limits.jobCreate)]
  return createJob(jobs, project, input, (tx) => countLimits(tx, uses))
}

export function answerGone(): AppError {
  return new AppError(
    'not_found',
    'There is no such answer; it may have been deleted, or its texts are not kept',
  )
}

/** The question that a path, an address or a form names. */
export function readQuestion(
  threadId: string | null | undefined,
  n: string | null | undefined,
): AnsweredQuestion | undefined {
  const number = readWholeNumber(n)
  return !threadId || number === undefined || hasUnstorable(threadId) ? undefined : { threadId, n: number }
}

const newJob = z.object({
  prompt: z
    .string()
    .min(1)
    .max(100_000)
    .optional()
    .describe('What the agent is to do; to correct or complete the pages when absent.'),
  base: z.string().optional().describe('The branch to start from; the project’s when absent.'),
  model: z.string().optional().describe('The model; the project’s when absent.'),
  draft: z.boolean().optional().describe('Opens the pull request as a draft.'),
})

export function answerJobEndpoint({ access, jobs, addresses }: JobEndpointPorts): Endpoint {
  return operations(access, 'Insights').onProject(
    'createAnswerJob',
    'post /v2/insights/{projectId}/threads/{thread}/questions/{question}/job',
    'Create a job for an answer',
    {
      description:
        'Creates an agent job that is shown a question with its answer, sources and ratings as information. Counts as a new job.',
      body: newJob,
      errors: [429],
      answer: [201, 'The new job', jobBody],
      async handle({ context, project, caller, body }) {
        const answer = readQuestion(context.req.param('thread'), context.req.param('question'))
        if (!answer) throw answerGone()
        const job = await createAnswerJob(jobs, project, answer, { ...body, askedBy: askedBy(caller) })
        return jobToBody(job, project, addresses)
      },
    },
  )
}
