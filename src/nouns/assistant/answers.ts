import { z } from '@hono/zod-openapi'
import { sectionFates } from '../../features/assistant/trace.ts'
import { answerOutcome } from '../insights/answers.ts'
import { used } from '../usage/answers.ts'

const milliseconds = z.int().describe('Milliseconds since the question came.')
const trace = z
  .object({
    searches: z.array(
      z.object({
        query: z.string().describe('What models and clients are told was searched for.'),
        at: milliseconds,
        milliseconds: z.int(),
        confidence: z.number().describe('How well the documentation covers it, 0 to 1.'),
        floor: z.number().describe('Below this confidence nothing is shown to the model.'),
        unknown: z.array(z.string()).describe('Words that no page holds.'),
        queries: z.array(
          z.object({
            query: z.string(),
            by: z
              .enum(['question', 'conversation', 'selection', 'model'])
              .describe('Where its words come from.'),
            weight: z.number().describe('How much its ranks count.'),
            confidence: z.number(),
            found: z.int(),
            used: z.boolean().describe('`false`: hardly mentioned, so its results were left out.'),
          }),
        ),
        sections: z.array(
          z.object({
            path: z.string().describe('The page’s slug.'),
            file: z.string().describe('The page’s file in the repository.'),
            title: z.string(),
            heading: z.string().nullable(),
            url: z.string(),
            fate: z
              .enum(sectionFates)
              .describe(
                '`shown` to the model; `later`: others were better; `same_page`: its page has enough sections already; `unused`: only a query found it whose results were left out; `weak`: the documentation hardly covers the search.',
              ),
            content: z.string().describe('The beginning of its text.'),
            found: z
              .array(z.object({ query: z.int(), rank: z.int(), score: z.number() }))
              .describe('Its place and score for each query, by the number of the query from 0.'),
          }),
        ),
      }),
    ),
    pages: z
      .array(
        z.object({
          name: z.string(),
          path: z.string().nullable(),
          file: z.string().nullable(),
          title: z.string().nullable(),
          at: milliseconds,
        }),
      )
      .describe('Pages that the model read as a whole; `path` is null where there is none.'),
    calls: z.array(
      z.object({
        model: z.string(),
        task: z.enum(['queries', 'answer', 'sources']),
        at: milliseconds,
        first: z.int().nullable().describe('Milliseconds until the first piece.'),
        milliseconds: z.int().nullable().describe('Null: it was given up.'),
        ...used,
        refused: z.boolean(),
        tools: z.array(z.object({ name: z.string(), input: z.string() })),
      }),
    ),
    problems: z.array(z.string()).describe('Why models were passed over.'),
    outOfTokens: z.boolean().describe('The project’s tokens of the day are used up.'),
    firstText: milliseconds.nullable(),
    milliseconds,
  })
  .openapi('Trace', { description: 'How an answer came about.' })

export const tracedAnswer = z.object({
  text: z.string().describe('Markdown.'),
  outcome: answerOutcome,
  cause: z.string().nullable(),
  missing: z.array(z.string()),
  model: z.string().nullable(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  cost: z.number().nullable().describe('USD; null when a price is unknown.'),
  sources: z.array(
    z.object({
      url: z.string(),
      title: z.string(),
      path: z.string().nullable().describe('The page’s slug.'),
      file: z.string().nullable(),
      words: z.array(z.string()).describe('The part of the answer that the link supports.'),
    }),
  ),
  suggestions: z.array(z.string()),
  problem: z.string().nullable().describe('Why there is no whole answer.'),
  index: z.object({
    pages: z.int(),
    commit: z.string().nullable(),
    syncedAt: z.iso.datetime().nullable(),
  }),
  trace,
})

export const searchResult = z
  .object({
    content: z.string(),
    path: z.string().openapi({
      description: 'The page’s slug: what follows the site’s address and a slash.',
      example: 'guides/own-repository',
    }),
    metadata: z.object({
      title: z.string(),
      description: z.string().describe('Of the page; empty where it has none.'),
      file: z.string().describe('The page’s file in the repository.'),
      url: z.url(),
      heading: z.string().nullable(),
      language: z.string().nullable(),
      version: z.string().nullable(),
      score: z.number().min(0).max(1),
      alsoIn: z
        .array(
          z.object({
            title: z.string(),
            url: z.url(),
            language: z.string().nullable(),
            version: z.string().nullable(),
          }),
        )
        .optional()
        .describe(
          'Pages that say nearly the same, such as other versions. They have no result of their own.',
        ),
    }),
  })
  .openapi('SearchResult', { description: 'A section that was found.' })

export const pageResult = z
  .object({ path: z.string().describe('The page’s slug.'), content: z.string().describe('Markdown') })
  .openapi('Page', { description: 'A page as Markdown.' })

const metadata = z
  .looseObject({
    threadId: z.string().optional(),
    outcome: answerOutcome.optional().describe('In the `finish` frame.'),
    contact: z
      .object({ name: z.string(), url: z.string() })
      .optional()
      .describe('Who helps where the documentation does not, in the `finish` frame.'),
  })
  .openapi('AnswerMetadata', { description: 'What a client learns about an answer in addition to its text.' })

const part = { id: z.string().describe('The part of the answer that a frame belongs to.') }
const call = { toolCallId: z.string() }

/** What each type of frame means, and its fields besides the type. Clients since `ai@5.0.0` know these and no others. */
export const frameKinds = {
  start: ['The answer begins.', { messageId: z.string().optional(), messageMetadata: metadata.optional() }],
  'start-step': ['A call of the model begins.', {}],
  'reasoning-start': ['The model begins to think.', part],
  'reasoning-delta': ['What the model thinks.', { ...part, delta: z.string() }],
  'reasoning-end': ['The model has thought.', part],
  'text-start': ['A text begins.', part],
  'text-delta': ['A piece of a text. Markdown.', { ...part, delta: z.string() }],
  'text-end': ['A text ends.', part],
  'tool-input-start': ['The model begins to call a tool.', { ...call, toolName: z.string() }],
  'tool-input-delta': ['A piece of what a tool is given.', { ...call, inputTextDelta: z.string() }],
  'tool-input-available': [
    'A tool is called.',
    { ...call, toolName: z.string(), input: z.unknown().describe('Of `search`: an object with `query`.') },
  ],
  'tool-output-available': [
    'A tool has answered.',
    { ...call, output: z.unknown().describe('Of `search`: an object with `results`.') },
  ],
  'tool-output-error': ['A tool has failed.', { ...call, errorText: z.string() }],
  'source-url': [
    'A page that the answer cites, before the text that cites it.',
    { sourceId: z.string(), url: z.string(), title: z.string().optional() },
  ],
  'data-suggestions': ['What a reader may ask next.', { data: z.array(z.string()) }],
  'data-status': [
    'What the answer waits for, while there is no text: the turn of others at the model (`ahead` is how many come before), or the model, which reads. Not a part of the message.',
    {
      data: z.object({ state: z.enum(['waiting', 'reading']), ahead: z.int().min(0).optional() }),
      transient: z.boolean().optional(),
    },
  ],
  'message-metadata': ['What a client learns about the answer.', { messageMetadata: metadata }],
  'finish-step': ['A call of the model ends.', {}],
  finish: [
    'The answer is complete.',
    {
      threadId: z
        .string()
        .optional()
        .describe('Absent for clients of the AI SDK, which read `messageMetadata`.'),
      messageMetadata: metadata.optional(),
    },
  ],
  error: ['The answer has failed.', { errorText: z.string() }],
  abort: ['The answer was stopped.', {}],
} satisfies Record<string, readonly [meaning: string, fields: z.ZodRawShape]>
