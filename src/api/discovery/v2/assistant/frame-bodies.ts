import { z } from '@hono/zod-openapi'
import { answerOutcome } from '../../../named-words.ts'

const metadata = z
  .looseObject({
    threadId: z.string().optional(),
    outcome: answerOutcome.optional().describe('In the `finish` frame.'),
    contact: z
      .object({ name: z.string(), url: z.string() })
      .optional()
      .describe('Who helps where the documentation does not, in the `finish` frame.'),
  })
  .openapi('AnswerMetadata', { description: 'What a client learns about an answer besides its text.' })

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

const bodies = Object.entries<readonly [string, z.ZodRawShape]>(frameKinds).map(
  ([type, [meaning, fields]]) => {
    const name = type.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
    return z
      .object({ type: z.literal(type), ...fields })
      .openapi(`AssistantFrame${name}`, { description: meaning })
  },
)
const [first, ...others] = bodies
if (!first) throw new Error('There are no types of frames')

export const assistantFrame = z.discriminatedUnion('type', [first, ...others]).openapi('AssistantFrame', {
  description:
    'A frame of an answer, one of by its `type`: the JSON behind `data: ` of an event. The last event is `data: [DONE]`, which is no JSON.',
})
