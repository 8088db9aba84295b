import { ask, type Answer } from '../../features/assistant/ask.ts'
import type { AssistantPorts, AssistantProject } from '../../features/assistant/ports.ts'
import type { RequestContext } from '../endpoint.ts'
import { createPool } from '../pool.ts'
import { sharerOf } from '../sharer.ts'
import type { BodyFields } from './message-body.ts'
import type { readConversation } from './read-conversation.ts'
import { textStream } from './text-stream.ts'
import { callerOf } from './caller.ts'
import type { Tx } from '../../store/database.ts'

export interface AskPorts<Project extends AssistantProject> extends AssistantGate<Project> {
  assistant: AssistantPorts<Project>
}

interface Asked<Project extends AssistantProject> {
  project: Project
  body: BodyFields
  conversation: ReturnType<typeof readConversation>
  /** Formats the answer for the endpoint's version of the protocol. */
  write(answer: Answer): AsyncGenerator<string, void, undefined>
  headers: Record<string, string>
}

/** Each open answer keeps a model and a connection busy. */
const openAnswers = createPool({
  name: 'open-answers',
  total: 1000,
  unit: 'concurrent-requests',
  what: 'answers are under way',
  advice: 'wait until one of them has ended',
})

/** Asks the assistant and streams its answer. The model is stopped when the client disconnects. */
export async function askAssistant<Project extends AssistantProject>(
  { limits, assistant }: AskPorts<Project>,
  context: RequestContext,
  { project, body, conversation, write, headers }: Asked<Project>,
): Promise<Response> {
  const gone = new AbortController()
  const place = openAnswers.hold(sharerOf(context))
  place.take(1)
  const end = (): void => {
    gone.abort()
    place.release()
  }
  const { signal } = context.req.raw
  signal.addEventListener('abort', end, { once: true })
  const asking = ask(assistant, {
    ...conversation,
    project,
    threadId: body.threadId ?? undefined,
    pageSize: body.retrievalPageSize,
    filter: body.filter,
    currentPath: body.currentPath ?? undefined,
    caller: callerOf(context),
    context: (body.context ?? []).map(({ type, value, path, elementId }) => ({
      type,
      value,
      path: path ?? undefined,
      elementId: elementId ?? undefined,
    })),
    signal: AbortSignal.any([gone.signal, signal]),
    charge: (tx) => limits.take(tx, context, project),
  })
  const answer = await asking.catch((error: unknown) => {
    place.release()
    throw error
  })
  const { threadId } = answer
  return new Response(textStream(write(answer), end), {
    headers: {
      ...headers,
      'Cache-Control': 'no-cache',
      'X-Accel-Buffering': 'no',
      // A thread id that the client chose may be any text.
      'X-Thread-Id': /^[\x20-\x7E]*$/.test(threadId) ? threadId : encodeURIComponent(threadId),
    },
  })
}

/** Who may ask, and how often. All throw AppError. */
export interface AssistantGate<Project extends AssistantProject> {
  access: {
    /** The project that the path names, if the caller may do this. */
    project(
      context: RequestContext,
      verb: 'askAssistant' | 'askAssistantV1' | 'search' | 'readPage' | 'sendFeedback',
    ): Promise<{ project: Project }>
  }
  limits: {
    /** Checks whether another request would be allowed, without counting it. */
    look(context: RequestContext, project: Project): Promise<void>
    /** Counts the request, in the transaction that records its question. */
    take(tx: Tx, context: RequestContext, project: Project): Promise<void>
  }
}
