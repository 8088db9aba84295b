import { z } from '@hono/zod-openapi'
import type { Attachment } from '../../../../features/assistant/attachments.ts'
import type { AssistantProject } from '../../../../features/assistant/ports.ts'
import type { Frame } from '../../../../features/assistant/streams/downgrade-frames.ts'
import { headersNamed } from '../../../description/headers.ts'
import { describe } from '../../../description/operation.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { assistantBodyLimit, readBody } from '../../../read-body.ts'
import { askAssistant, type AskPorts } from '../../ask-assistant.ts'
import { readConversation, textIn, textOfParts, type ClientMessage } from '../../read-conversation.ts'
import { storableJson } from '../../text-stream.ts'
import { messageBody, type MessageBody } from './message-body.ts'

export function postOldMessageEndpoint<Project extends AssistantProject>(ports: AskPorts<Project>): Endpoint {
  const { access, limits } = ports
  return {
    route: describe('askAssistantV1', 'post /discovery/v1/assistant/{domain}/message', {
      tag: 'Assistant',
      summary: 'Ask the assistant (AI SDK v4)',
      description:
        'Streams the reply as a data stream for AI SDK v4. The first annotation of the message contains the `threadId`; so does the header `X-Thread-Id`, with `X-Thread-Key` when a thread begins. The last one also contains the answer’s `outcome`.',
      body: messageBody,
      responses: {
        200: {
          description:
            'Lines of a code, a colon and JSON: `f 9 a 0 8 e d`, `2` for what the answer waits for, and `3` for an error',
          headers: headersNamed('X-Thread-Id', 'X-Thread-Key'),
          content: { 'text/plain': { schema: z.string() } },
        },
      },
      errors: [429],
    }),
    async handle(context) {
      const { project } = await access.project(context, 'askAssistantV1')
      await limits.look(context, project)
      const body = await readBody(context, messageBody, assistantBodyLimit)
      const { question, ...conversation } = readConversation({
        fp: body.fp,
        messages: body.messages.flatMap(read),
      })
      return askAssistant(ports, context, {
        project,
        body,
        // These clients do not say when they repeat a question. Those that send a history omit it only with the
        // first question of a thread.
        conversation: {
          ...conversation,
          question: { ...question, again: conversation.history ? 'no' : 'same-start' },
        },
        write: ({ frames }) => dataLines(frames),
        headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Vercel-AI-Data-Stream': 'v1' },
      })
    },
  }
}

function read({ id, role, content, parts, ...others }: MessageBody['messages'][number]): ClientMessage[] {
  if (role === 'data' || role === 'tool') return []
  const whole = typeof content === 'string' ? content : textOfParts(content ?? [])
  const attachments = [others['experimental_attachments'] ?? []].flat().map(readAttachment)
  return [{ id, role, text: whole === '' ? textOfParts(parts ?? []) : whole, attachments }]
}

function readAttachment(value: unknown): Attachment {
  const { name, contentType, url }: Record<string, unknown> = isObject(value) ? { ...value } : {}
  return { name: textIn(name), mediaType: textIn(contentType), url: textIn(url) ?? '' }
}

/** Token counts are not sent. Clients read null as unknown. */
const usage = { promptTokens: null, completionTokens: null }

/**
 * Writes frames as the data stream of AI SDK 4, one line each. That format has no parts for the thread, sources and
 * suggestions, so they are sent as message annotations, and none for a failed tool call, so that is sent as a
 * result with `error`.
 */
async function* dataLines(frames: AsyncGenerator<Frame>): AsyncGenerator<string, void, undefined> {
  let messageId: unknown
  let thread: unknown
  let called = false
  let said = false
  for await (const frame of frames) {
    switch (frame.type) {
      case 'start':
        messageId = frame['messageId']
        thread = frame['messageMetadata']
        break
      case 'start-step':
        called = false
        yield line('f', { messageId })
        if (thread !== undefined) yield line('8', [thread])
        thread = undefined
        break
      case 'tool-input-available':
        called = true
        yield line('9', {
          toolCallId: frame['toolCallId'],
          toolName: frame['toolName'],
          args: isObject(frame['input']) ? frame['input'] : { input: frame['input'] },
        })
        break
      case 'tool-output-available':
        yield line('a', { toolCallId: frame['toolCallId'], result: asOldOutput(frame['output']) })
        break
      case 'tool-output-error':
        yield line('a', { toolCallId: frame['toolCallId'], result: { error: frame['errorText'] } })
        break
      case 'source-url':
        yield line('8', [{ source: { url: frame['url'], title: frame['title'] } }])
        break
      case 'text-start':
        // Old clients join the texts of several steps into one.
        if (said) yield line('0', '\n\n')
        said = true
        break
      case 'text-delta':
        yield line('0', frame['delta'])
        break
      case 'data-status':
        yield line('2', [{ status: frame['data'] }])
        break
      case 'data-suggestions':
        yield line('8', [{ suggestions: frame['data'] }])
        break
      case 'finish-step':
        yield line('e', { finishReason: called ? 'tool-calls' : 'stop', usage, isContinued: false })
        break
      case 'finish':
        yield line('8', [frame['messageMetadata']])
        yield line('d', { finishReason: 'stop', usage })
        break
      case 'error':
        yield line('3', frame['errorText'])
        break
      default:
    }
  }
}

/** Clients of that time tell the output of a search, and each of its results, by a `type`. */
function asOldOutput(output: unknown): unknown {
  const results: unknown = isObject(output) && 'results' in output ? output.results : undefined
  if (!isObject(output) || !Array.isArray(results)) return output
  const marked = results.map((one: unknown) => (isObject(one) ? { type: 'search', ...one } : one))
  return { type: 'search', ...output, results: marked }
}

function line(code: string, value: unknown): string {
  return `${code}:${storableJson(value)}\n`
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
