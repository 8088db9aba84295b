import type { AssistantProject } from '../../../../features/assistant/ports.ts'
import type { Frame } from '../../../../features/assistant/streams/downgrade-frames.ts'
import { headersNamed } from '../../../description/headers.ts'
import { describe, streamContent } from '../../../description/operation.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { eventStreamType } from '../../../event-stream.ts'
import { assistantBodyLimit, readBody } from '../../../read-body.ts'
import { askAssistant, resumeAnswer, type AskPorts } from '../../ask-assistant.ts'
import { filesOfParts, readConversation, textOfParts } from '../../read-conversation.ts'
import { storableJson } from '../../text-stream.ts'
import { assistantFrame } from './frame-bodies.ts'
import { messageBody, type MessageBody } from './message-body.ts'
import { namesThread } from './names-thread.ts'

export function postMessageEndpoint<Project extends AssistantProject>(ports: AskPorts<Project>): Endpoint {
  const { access, limits } = ports
  return {
    route: describe('askAssistant', 'post /discovery/v2/assistant/{domain}/message', {
      tag: 'Assistant',
      summary: 'Ask the assistant',
      description:
        'Streams the reply as Server-Sent Events for AI SDK v5 and later (`DefaultChatTransport`). The `messageMetadata` of the `finish` frame contains the `threadId` and the answer’s `outcome`; the frame itself names the `threadId` too, except to clients of the AI SDK. So does the header `X-Thread-Id`; `X-Thread-Key` comes with it when a thread begins.',
      body: messageBody,
      responses: {
        200: answerContent,
      },
      errors: [429],
    }),
    async handle(context) {
      const { project } = await access.project(context, 'askAssistant')
      await limits.look(context, project)
      const body = await readBody(context, messageBody, assistantBodyLimit)
      const messages = body.messages.map(({ id, role, parts }) => ({
        id,
        role,
        text: textOfParts(parts),
        attachments: filesOfParts(parts),
      }))
      return askAssistant(ports, context, {
        project,
        body,
        conversation: readConversation({ ...body, messages }),
        write: ({ frames, threadId }) =>
          eventLines(namesThread(context, body) ? withThreadId(frames, threadId) : frames),
        chatId: chatIdOf(body),
        headers,
      })
    },
  }
}

export function resumeAnswerEndpoint<Project extends AssistantProject>(ports: AskPorts<Project>): Endpoint {
  return {
    route: describe('resumeAnswer', 'get /discovery/v2/assistant/{domain}/message/{threadId}/stream', {
      tag: 'Assistant',
      summary: 'Resume an answer',
      description:
        'Streams an answer that is in progress from its beginning, as `useChat({ resume: true })` asks for it after a page was loaded again. Only for questions sent with `trigger`, as AI SDK transports do.',
      responses: {
        200: answerContent,
        204: { description: 'No answer is in progress' },
      },
      errors: [429],
    }),
    async handle(context) {
      const { project } = await ports.access.project(context, 'resumeAnswer')
      const onError = (errorText: string): string => `${eventLine({ type: 'error', errorText })}${lastLine}`
      const response = await resumeAnswer(ports, context, { project, onError, headers })
      return response ?? context.body(null, 204)
    },
  }
}

const headers = { 'Content-Type': eventStreamType, 'X-Vercel-AI-UI-Message-Stream': 'v1' }
const answerContent = {
  description: 'Frames as `data: {json}`, the last one `data: [DONE]`',
  headers: headersNamed('X-Thread-Id', 'X-Thread-Key'),
  content: streamContent(assistantFrame),
}

// Only the transports of the AI SDK come back for an answer, and they send a trigger.
function chatIdOf({ id, trigger }: MessageBody): string | undefined {
  if (trigger === undefined) return undefined
  return typeof id === 'string' && id.length <= 200 ? id : ''
}

async function* withThreadId(frames: AsyncGenerator<Frame>, threadId: string): AsyncGenerator<Frame> {
  for await (const frame of frames) yield frame.type === 'finish' ? { ...frame, threadId } : frame
}

/** Writes frames as Server-Sent Events and ends with `[DONE]`. */
async function* eventLines(frames: AsyncGenerator<Frame>): AsyncGenerator<string, void, undefined> {
  for await (const frame of frames) yield eventLine(frame)
  yield lastLine
}

const lastLine = 'data: [DONE]\n\n'

function eventLine(frame: Frame): string {
  return `data: ${storableJson(frame)}\n\n`
}
