import { ask, type Answer } from '../../features/assistant/ask.ts'
import type { AssistantPorts, AssistantProject } from '../../features/assistant/ports.ts'
import type { ReadAnswer } from '../../features/assistant/streams/answer-stream.ts'
import type { Reader } from '../../features/assistant/streams/answer-streams.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import type { RequestContext } from '../endpoint.ts'
import { toAppError } from '../errors.ts'
import { exchangeSignal } from '../exchange.ts'
import { headerText } from '../header-text.ts'
import { createPool } from '../pool.ts'
import { sharerOf } from '../sharer.ts'
import type { BodyFields } from './message-body.ts'
import type { readConversation } from './read-conversation.ts'
import { textStream } from './text-stream.ts'
import { takeAnswerTurn, untilElsewhere } from './answer-turns.ts'
import { callerOf } from './caller.ts'
import type { Tx } from '../../store/database.ts'

export interface AskPorts<Project extends AssistantProject> extends AssistantGate<Project> {
  assistant: AssistantPorts<Project>
  /** What clients of such services store beside a thread's id. Nothing here needs it. */
  threadKeyOf(project: Project, threadId: string): string
}

interface Asked<Project extends AssistantProject> {
  project: Project
  body: BodyFields
  conversation: ReturnType<typeof readConversation>
  /** Formats the answer for the endpoint's version of the protocol. */
  write(answer: Answer): AsyncGenerator<string, void, undefined>
  /** The client's id of the chat, empty where it has none; undefined when the client cannot resume an answer. */
  chatId?: string | undefined
  headers: Record<string, string>
}

/** Each open answer keeps a model and a connection busy. */
export const openAnswers = createPool({
  name: 'open-answers',
  total: 1000,
  unit: 'concurrent-requests',
  what: 'answers are in progress',
  advice: 'wait until one of them has ended',
})

/** Asks the assistant and streams its answer. The model is stopped when nobody reads the answer any more. */
export async function askAssistant<Project extends AssistantProject>(
  { access, limits, assistant, threadKeyOf }: AskPorts<Project>,
  context: RequestContext,
  { project, body, conversation, write, chatId, headers }: Asked<Project>,
): Promise<Response> {
  const { check } = body
  if (check) await access.project(context, 'check')
  const stopped = new AbortController()
  const place = openAnswers.hold(sharerOf(context))
  place.take(1)
  const waiting = takeAnswerTurn(sharerOf(context), exchangeSignal(context))
  const endTurn = await waiting.catch((error: unknown) => {
    place.release()
    throw error
  })
  const release = (): void => {
    endTurn()
    place.release()
  }
  const asking = ask(assistant, {
    ...conversation,
    project,
    threadId: body.threadId ?? undefined,
    pageSize: body.retrievalPageSize,
    filter: body.filter,
    currentPath: body.currentPath ?? undefined,
    caller: callerOf(context),
    chatId,
    check,
    context: (body.context ?? []).map(({ type, value, path, elementId }) => ({
      type,
      value,
      path: path ?? undefined,
      elementId: elementId ?? undefined,
    })),
    signal: stopped.signal,
    charge: (tx) => limits.take(tx, context, project),
  })
  const answer = await asking.catch((error: unknown) => {
    release()
    throw error
  })
  const { threadId, minted, n } = answer
  const frames = untilElsewhere(answer, endTurn)
  const stream = assistant.streams.start(write({ ...answer, frames }), {
    projectId: project.id,
    threadId,
    n,
    chatId: check ? undefined : chatId,
    asker: { ...readerOf(context), minted },
    stop: () => stopped.abort(),
  })
  const left = Promise.withResolvers<void>()
  // A model that goes on without a reader keeps its place, and so does a reader that has not read everything.
  void Promise.all([stream.done, left.promise]).then(release)
  return streamResponse(context, stream.read, left.resolve, {
    ...headers,
    // A thread id that the client chose may be any text.
    'X-Thread-Id': headerText(threadId),
    ...(n === 0 && { 'X-Thread-Key': threadKeyOf(project, threadId) }),
  })
}

/**
 * Streams an answer from its beginning to a reader that comes back.
 * @param onError the text to end with, for an answer that breaks off
 * @returns undefined when there is none to read
 */
export async function resumeAnswer<Project extends AssistantProject>(
  { assistant }: AskPorts<Project>,
  context: RequestContext,
  {
    project,
    onError,
    headers,
  }: { project: Project; onError(message: string): string } & Pick<Asked<Project>, 'headers'>,
): Promise<Response | undefined> {
  const id = context.req.param('threadId') ?? ''
  if (hasUnstorable(id)) return undefined
  const place = openAnswers.hold(sharerOf(context))
  place.take(1)
  const finding = assistant.streams.find(project.id, id, readerOf(context))
  const read = await finding.catch((error: unknown) => {
    place.release()
    throw error
  })
  // The response to HEAD has no body, and a stream without a reader would never end.
  if (!read || context.req.method === 'HEAD') place.release()
  if (!read) return undefined
  if (context.req.method === 'HEAD') return new Response(null, { headers })
  const readOn: ReadAnswer = async function* readOn(signal) {
    try {
      yield* read(signal)
    } catch (error) {
      yield onError(toAppError(error).message)
    }
  }
  return streamResponse(context, readOn, place.release, headers)
}

function readerOf(context: RequestContext): Reader {
  const { key, person, address } = sharerOf(context)
  return { key, person, address, origin: context.req.header('origin') }
}

function streamResponse(
  context: RequestContext,
  read: ReadAnswer,
  onEnd: () => void,
  headers: Record<string, string>,
): Response {
  const reader = new AbortController()
  const end = (): void => {
    reader.abort()
    onEnd()
  }
  const signal = exchangeSignal(context)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  return new Response(textStream(read(reader.signal), end), {
    headers: { ...headers, 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' },
  })
}

/** Who may ask, and how often. All throw AppError. */
export interface AssistantGate<Project extends AssistantProject> {
  access: {
    /** The project that the path names, if the caller may do this. */
    project(
      context: RequestContext,
      verb:
        | 'check'
        | 'askAssistant'
        | 'askAssistantV1'
        | 'resumeAnswer'
        | 'search'
        | 'readPage'
        | 'sendFeedback'
        | 'getStarters',
    ): Promise<{ project: Project }>
  }
  limits: {
    /** Checks whether another request would be allowed, without counting it. */
    look(context: RequestContext, project: Project): Promise<void>
    /** Counts the request, in the transaction that records its question. */
    take(tx: Tx, context: RequestContext, project: Project): Promise<void>
  }
}
