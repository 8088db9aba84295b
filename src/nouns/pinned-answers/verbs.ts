import { z } from '@hono/zod-openapi'
import { limitUpTo } from '../../lib/list-query.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import { defineVerb } from '../../verbs/verb.ts'
import { answerOutcome } from '../insights/answers.ts'

const path = '/v2/insights/{projectId}/pinned-answers'
const one = `${path}/{pinned}` as const

const by = z
  .object({ kind: z.enum(['person', 'key', 'operator', 'comment', 'automation']), name: z.string() })
  .nullable()
  .openapi('PinnedAnswerAuthor', { description: 'Who wrote or changed a pinned answer.' })

const pinnedAnswer = z
  .object({
    id: z.string(),
    questions: z.array(z.string()).describe('The first one names it; the others are other ways to ask.'),
    answer: z.string().describe('Markdown.'),
    author: by,
    createdAt: z.iso.datetime(),
    changedBy: by,
    changedAt: z.iso.datetime(),
    uses: z.int().describe('Questions that got it, as far as they are stored.'),
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .openapi('PinnedAnswer', { description: 'An answer that the docs team wrote for a question.' })

export type PinnedAnswer = z.output<typeof pinnedAnswer>

const weakAnswer = z
  .object({
    question: z.string(),
    answer: z.string().describe('The newest answer, at most 4,000 characters of it.'),
    outcome: answerOutcome,
    cause: z.string().nullable().describe('Of `unanswered`: `nothing_found` or `weak`.'),
    threadId: z.string(),
    n: z.int().describe('The number of the question in its thread.'),
    askedAt: z.iso.datetime(),
    times: z.int().describe('How often it was asked and answered poorly, in any spelling.'),
    down: z.int().describe('How many readers rated the answers down.'),
  })
  .openapi('WeakAnswer', { description: 'A question without a good answer, and without a pinned one.' })

export type WeakAnswer = z.output<typeof weakAnswer>

export const mostWordings = 10
const questionRule = 'must be text of 1 to 300 characters that can be stored'
const question = z
  .string()
  .trim()
  .min(1, questionRule)
  .max(300, questionRule)
  .refine((value) => !hasUnstorable(value) && !/[\r\n]/.test(value), questionRule)
const questionsRule = `must be a list of 1 to ${mostWordings} questions`
const questions = z
  .array(question, { error: questionsRule })
  .min(1, questionsRule)
  .max(mostWordings, questionsRule)
  .describe('The question, and other ways to ask it. Spelling, word order, and filler words do not matter.')
const answerRule = 'must be text of 1 to 10,000 characters that can be stored'
const answer = z
  .string()
  .trim()
  .min(1, answerRule)
  .max(10_000, answerRule)
  .refine((value) => !hasUnstorable(value), answerRule)
  .describe('Markdown. Links to pages of the project become sources. Other links are shown as text.')

const fields = {
  questions: {
    label: 'Questions',
    hint: 'one per line',
    option: '--question <question...>',
    help: 'the question, and other ways to ask it',
  },
  answer: {
    label: 'Answer',
    rows: 10,
    draft: true,
    placeholder: 'Yes. See [Limits](/limits) for how many.',
    option: '--answer <markdown>',
    help: 'the answer in Markdown',
  },
} as const

export const listWeakAnswers = defineVerb({
  name: 'listWeakAnswers',
  address: 'get /v2/insights/{projectId}/weak-answers',
  tag: 'Insights',
  summary: 'List weak answers',
  description:
    'Questions of the newest 500 poor answers: unanswered, weak, partial, without sources, or rated down. Those asked most often come first. Questions with a pinned answer are left out.',
  input: z.object({ limit: limitUpTo(100, 20).describe('At most this many.') }),
  output: z.object({ answers: z.array(weakAnswer) }),
  answer: [200, 'The answers'],
  fields: {
    limit: { label: 'At most', option: '--limit <number>', help: 'maximum number of results, up to 100' },
  },
})

export const listPinnedAnswers = defineVerb({
  name: 'listPinnedAnswers',
  address: `get ${path}`,
  tag: 'Insights',
  summary: 'List pinned answers',
  description: 'All pinned answers of the project with their authors, last changed first.',
  input: z.object({}),
  output: z.object({ pinnedAnswers: z.array(pinnedAnswer) }),
  answer: [200, 'The pinned answers'],
  fields: {},
})

export const pinAnswer = defineVerb({
  name: 'pinAnswer',
  address: `post ${path}`,
  tag: 'Insights',
  summary: 'Pin an answer',
  description:
    'From now on, readers who ask one of the questions, in any spelling, get this answer at once. It is shown as the docs team’s, with its date, and no model is asked. At most 200 per project.',
  input: z.object({ questions, answer }),
  output: pinnedAnswer,
  answer: [201, 'The pinned answer'],
  errors: [409],
  fields,
})

export const changePinnedAnswer = defineVerb({
  name: 'changePinnedAnswer',
  address: `patch ${one}`,
  tag: 'Insights',
  summary: 'Change a pinned answer',
  description: 'Readers see the date of the last change.',
  input: z
    .object({ questions: questions.optional(), answer: answer.optional() })
    .refine((change) => change.questions !== undefined || change.answer !== undefined, {
      message: 'name `questions` or `answer`',
    }),
  output: pinnedAnswer,
  answer: [200, 'The pinned answer'],
  errors: [409],
  fields,
})

export const unpinAnswer = defineVerb({
  name: 'unpinAnswer',
  address: `delete ${one}`,
  tag: 'Insights',
  summary: 'Remove a pinned answer',
  description: 'The assistant answers the questions from the documentation again.',
  input: z.object({}),
  output: pinnedAnswer,
  answer: [200, 'What was removed'],
  fields: {},
})
