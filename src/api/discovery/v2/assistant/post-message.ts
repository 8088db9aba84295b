import { z } from '@hono/zod-openapi'
import { ask } from '../../../../features/assistant/ask.ts'
import type { Frame } from '../../../../features/assistant/downgrade-frames.ts'
import type { AssistantDeps, AssistantProject } from '../../../../features/assistant/ports.ts'
import type { Endpoint, RequestContext } from '../../../endpoint.ts'
import { assistantBodyLimit, readBody } from '../../../read-body.ts'
import { jsonContent, responsesOf } from '../../../responses.ts'
import { domainParameter } from '../../ports.ts'
import type { AssistantGate } from '../../ports.ts'
import { eventStream } from './event-stream.ts'
import { assistantBody } from './message-body.ts'
import type { AssistantBody } from './message-body.ts'
import { readConversation } from './read-conversation.ts'

interface Dependencies<Project extends AssistantProject> extends AssistantGate<Project> {
  assistant: AssistantDeps<Project>
}

export function postMessageEndpoint<Project extends AssistantProject>({
  access,
  limits,
  assistant,
}: Dependencies<Project>): Endpoint {
  return {
    route: {
      method: 'post',
      path: '/discovery/v2/assistant/{domain}/message',
      tags: ['Assistant'],
      summary: 'Ask the assistant',
      description:
        'Streams the reply as Server-Sent Events for AI SDK v5 and later (`DefaultChatTransport`). The `finish` frame and its `messageMetadata` hold the `threadId`; so does the header `X-Thread-Id`.',
      security: [{ assistantKey: [] }],
      request: { params: domainParameter, body: { required: true, content: jsonContent(assistantBody) } },
      responses: responsesOf(
        {
          200: {
            description: 'Frames as `data: {json}`, the last one `data: [DONE]`',
            content: { 'text/event-stream': { schema: z.string() } },
          },
        },
        [400, 413, 429],
      ),
    },
    async handle(context) {
      const project = await access.assistantProject(context, context.req.param('domain') ?? '')
      await limits.look(context, project)
      const body = await readBody(context, assistantBody, assistantBodyLimit)
      const gone = new AbortController()
      const { threadId, frames } = await ask(assistant, {
        ...readConversation(body),
        project,
        threadId: body.threadId ?? undefined,
        pageSize: body.retrievalPageSize,
        filter: body.filter,
        currentPath: body.currentPath ?? undefined,
        context: (body.context ?? []).map(({ type, value, path, elementId }) => ({
          type,
          value,
          path: path ?? undefined,
          elementId: elementId ?? undefined,
        })),
        signal: AbortSignal.any([gone.signal, context.req.raw.signal]),
        charge: (tx) => limits.take(tx, context, project),
      })
      const sent = namesThread(context, body) ? withThreadId(frames, threadId) : frames
      return new Response(
        eventStream(sent, () => gone.abort()),
        {
          headers: {
            'Content-Type': 'text/event-stream',
            'Cache-Control': 'no-cache',
            'X-Vercel-AI-UI-Message-Stream': 'v1',
            'X-Accel-Buffering': 'no',
            // An adopted id may be any text.
            'X-Thread-Id': /^[\x20-\x7E]*$/.test(threadId) ? threadId : encodeURIComponent(threadId),
          },
        },
      )
    },
  }
}

// Clients of the AI SDK show themselves by `trigger`; most of those released crash on a key they do not know.
function namesThread(context: RequestContext, { trigger }: AssistantBody): boolean {
  const strict = context.req.header('x-stream-strict')
  if (strict === '0' || strict === '1') return strict === '0'
  return trigger === undefined
}

async function* withThreadId(frames: AsyncGenerator<Frame>, threadId: string): AsyncGenerator<Frame> {
  for await (const frame of frames) yield frame.type === 'finish' ? { ...frame, threadId } : frame
}
