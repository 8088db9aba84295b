import { z } from '@hono/zod-openapi'
import { defineVerb } from '../../verbs/verb.ts'
import { jobBody } from '../jobs/answers.ts'
import { deletedThreads } from './answers.ts'

const path = '/v2/insights/{projectId}/threads'

export const deleteThreads = defineVerb({
  name: 'deleteThreads',
  address: `delete ${path}`,
  tag: 'Insights',
  summary: 'Delete threads',
  description:
    'Deletes one thread by `id`, or by `fp` everything of one person: questions with their answers, feedback and searches.',
  asQuery: true,
  input: z.object({
    id: z.string().optional().describe('Id of one thread.'),
    fp: z.string().optional().describe('Who asked, searched or rated.'),
  }),
  output: deletedThreads,
  answer: [200, 'How many were deleted'],
  fields: { id: { label: 'Thread' }, fp: { label: 'Reader' } },
})

export const createAnswerJob = defineVerb({
  name: 'createAnswerJob',
  address: `post ${path}/{thread}/questions/{question}/job`,
  tag: 'Insights',
  summary: 'Create a job for an answer',
  description:
    'Creates an agent job that is shown a question with its answer, sources and ratings as information. Counts as a new job.',
  errors: [429],
  input: z.object({
    prompt: z
      .string()
      .min(1)
      .max(100_000)
      .optional()
      .describe('What the agent is to do; to correct or complete the pages when absent.'),
    base: z.string().optional().describe('The branch to start from; the project’s when absent.'),
    model: z.string().optional().describe('The model; the project’s when absent.'),
    draft: z.boolean().optional().describe('Opens the pull request as a draft.'),
  }),
  output: jobBody,
  answer: [201, 'The new job'],
  fields: {
    prompt: {
      label: 'What do you want to change?',
      option: '--prompt <text>',
      help: 'what the agent is to do (default: correct or complete the pages)',
    },
    base: { label: 'Branch to start from', option: '--base <branch>', help: 'the branch to start from' },
    model: { label: 'Model', option: '--model <provider:model>', help: 'the model' },
    draft: {
      label: 'Open the pull request as a draft',
      option: '--draft',
      help: 'open the pull request as a draft',
    },
  },
})
