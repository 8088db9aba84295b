import { z } from '@hono/zod-openapi'
import { defineVerb } from '../../verbs/verb.ts'
import { intervals, searchResults } from '../../features/assistant/insights/insight-words.ts'
import { limitUpTo, offsetCursor } from '../../lib/list-query.ts'
import { jobBody } from '../jobs/answers.ts'
import { deletedThreads, insights as counts, searchList, threadList, wholeThread } from './answers.ts'
import { countedRange, cursor, filterQuery, text } from './inputs.ts'

const insights = '/v2/insights/{projectId}'
const path = `${insights}/threads` as const

const from = {
  label: 'From',
  option: '--from <day-or-time>',
  help: 'start date or time (inclusive), for example 2026-01-31 or 2026-01-31T12:00:00Z',
}
const to = {
  label: 'To',
  option: '--to <day-or-time>',
  help: 'end date (inclusive) or time (exclusive)',
}
const listWords = { limit: { label: 'At most' }, cursor: { label: 'Page' } }

export const getInsights = defineVerb({
  name: 'getInsights',
  address: `get ${insights}`,
  tag: 'Insights',
  summary: 'Get insights',
  description:
    'What readers asked and searched in a range of time, the outcome, and what they thought of it.',
  input: z.object({
    ...countedRange,
    interval: z
      .enum(intervals, 'must be day, week or month')
      .optional()
      .describe('Of `series`; when absent days up to 92 of them, then weeks up to two years, then months.'),
    limit: limitUpTo(100, 10).describe('How many entries each list has at most.'),
    format: z
      .enum(['json', 'csv'], 'must be json or csv')
      .default('json')
      .describe('`csv`: `series` as a table.'),
  }),
  output: counts,
  answer: [200, 'The insights'],
  also: {
    200: {
      description: 'The insights, or their series as a table',
      content: { 'application/json': { schema: counts }, 'text/csv': { schema: z.string() } },
    },
  },
  fields: {
    from,
    to,
    interval: { label: 'Interval', option: '--interval <interval>', help: 'day, week, or month' },
    limit: {
      label: 'At most',
      option: '--limit <number>',
      help: 'maximum number of entries in each list',
    },
    format: { label: 'Format' },
  },
})

export const listSearches = defineVerb({
  name: 'listSearches',
  address: `get ${insights}/searches`,
  tag: 'Insights',
  summary: 'List searches',
  description:
    'What people and agents searched for in a range of time, by wording, most frequent first: all of it, or what found nothing or only what is weak. Searches that the assistant makes for an answer are left out.',
  input: z.object({
    ...countedRange,
    result: z
      .enum(searchResults, 'must be none or weak')
      .optional()
      .describe('`none`: nothing was found. `weak`: the documentation hardly speaks of it.'),
    text: text.optional().describe('What the query contains.'),
    limit: limitUpTo(500, 20).describe('At most this many.'),
    cursor: offsetCursor.optional().describe('`nextCursor` of the page before.'),
  }),
  output: searchList,
  answer: [200, 'The searches'],
  fields: {
    result: {
      label: 'Result',
      option: '--result <none|weak>',
      help: 'filter by result: none or weak',
    },
    text: { label: 'Text', option: '--text <text>', help: 'words in the query' },
    from: {
      label: 'From',
      option: '--from <day-or-time>',
      help: 'start date or time, for example 2026-01-31 or 2026-01-31T12:00:00Z',
    },
    to,
    limit: { label: 'At most', option: '--limit <number>', help: 'maximum number of results, up to 500' },
    cursor: { label: 'Page' },
  },
})

export const listThreads = defineVerb({
  name: 'listThreads',
  address: `get ${path}`,
  tag: 'Insights',
  summary: 'List threads',
  description:
    'The conversations of the assistant, by newest question. With filters, those in which one question meets all of them. Such a page is searched for in some thousand conversations: it may be short, or empty, while `nextCursor` leads on.',
  input: filterQuery.extend({ limit: limitUpTo(500, 20).describe('At most this many.'), cursor }),
  output: threadList,
  answer: [200, 'The threads'],
  fields: {
    from,
    to,
    outcome: {
      label: 'Outcome',
      option: '--outcome <outcome>',
      help: 'outcome, for example answered or unanswered',
    },
    caller: { label: 'Caller', option: '--caller <caller>', help: 'web, widget, api, or mcp' },
    rating: { label: 'Rating', option: '--rating <up|down>', help: 'rating by the reader' },
    page: {
      label: 'Page',
      option: '--page <page>',
      help: 'page that the reader was on, or that an answer cites',
    },
    text: { label: 'Text', option: '--text <text>', help: 'words in a question or answer' },
    fp: {
      label: 'Reader',
      option: '--fp <fingerprint>',
      help: 'reader ID (the fp value sent by the client)',
    },
    ...listWords,
  },
})

export const getThread = defineVerb({
  name: 'getThread',
  address: `get ${path}/{thread}`,
  tag: 'Insights',
  summary: 'Get a thread',
  description: 'A conversation: its questions with their answers, citations and feedback, oldest first.',
  input: z.object({ limit: limitUpTo(200, 100).describe('At most this many questions.'), cursor }),
  output: wholeThread,
  answer: [200, 'The thread'],
  fields: listWords,
})

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
  fields: {
    id: { label: 'Thread', option: '--id <thread>', help: 'id of the thread' },
    fp: {
      label: 'Reader',
      option: '--fp <fingerprint>',
      help: 'reader ID (the fp value sent by the client)',
    },
  },
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
      help: 'instructions for the agent (default: correct or complete the pages)',
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
