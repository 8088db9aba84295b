import { ask } from '../../features/assistant/ask.ts'
import type { Answer } from '../../features/assistant/ask.ts'
import type { AssistantDeps, AssistantProject } from '../../features/assistant/ports.ts'
import type { RequestContext } from '../endpoint.ts'
import type { BodyFields } from './message-body.ts'
import type { AssistantGate } from './ports.ts'
import type { readConversation } from './read-conversation.ts'
import { textStream } from './text-stream.ts'

export interface AskDependencies<Project extends AssistantProject> extends AssistantGate<Project> {
  assistant: AssistantDeps<Project>
}

interface Asked<Project extends AssistantProject> {
  project: Project
  body: BodyFields
  conversation: ReturnType<typeof readConversation>
  /** The answer in the form of the endpoint's version. */
  write(answer: Answer): AsyncGenerator<string, void, undefined>
  headers: Record<string, string>
}

/** Asks the assistant and streams its answer; when the reader goes away, the model is stopped. */
export async function askAssistant<Project extends AssistantProject>(
  { limits, assistant }: AskDependencies<Project>,
  context: RequestContext,
  { project, body, conversation, write, headers }: Asked<Project>,
): Promise<Response> {
  const gone = new AbortController()
  const answer = await ask(assistant, {
    ...conversation,
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
  const { threadId } = answer
  return new Response(
    textStream(write(answer), () => gone.abort()),
    {
      headers: {
        ...headers,
        'Cache-Control': 'no-cache',
        'X-Accel-Buffering': 'no',
        // An adopted id may be any text.
        'X-Thread-Id': /^[\x20-\x7E]*$/.test(threadId) ? threadId : encodeURIComponent(threadId),
      },
    },
  )
}
