import { currentPath } from './current-path.ts'
import {
  applyFrame,
  begin,
  fail,
  newId,
  nothingYet,
  type Exchange,
  type Problem,
  type Reason,
  type Selection,
} from './exchange.ts'
import { isRecord, type Frame } from './frames.ts'
import type { History } from './history.ts'
import { Refusal, type Server } from './server.ts'

export interface AttachedFile {
  filename: string
  mediaType: string
  /** A data URL. */
  url: string
}

export interface Question {
  text: string
  selection?: Selection | undefined
  files?: AttachedFile[]
}

export interface Conversation {
  readonly exchanges: readonly Exchange[]
  readonly threadId: string | undefined
  /** Whether an answer is under way. */
  isBusy(): boolean
  ask(question: Question): void
  stop(): void
  /** Asks the last question again. */
  retry(): void
  /** Begins a new thread. */
  clear(): void
  /** Goes on with the answer that was under way when the page was left. */
  resume(): void
  /** Stops listening; the next page may go on. */
  leave(): void
  rate(
    exchange: Exchange,
    rating: 'up' | 'down' | undefined,
    why?: { reason?: Reason; note?: string },
  ): Promise<void>
}

interface Ports {
  server: Server
  history: History
  /** Who asks, as the site names them. */
  fp: string
  onChange(exchange: Exchange | undefined): void
  onEnd(exchange: Exchange): void
}

/** Earlier questions that are sent along. */
const mostTurns = 10
/** Milliseconds between tries to go on with an answer whose connection broke. */
const waits = [700, 1500, 3000]

export function createConversation({ server, history, fp, onChange, onEnd }: Ports): Conversation {
  let { chatId, threadId, exchanges } = history.read()
  let running: AbortController | undefined
  let files: AttachedFile[] = []

  const changed = (exchange?: Exchange): void => {
    history.write({ chatId, threadId, exchanges })
    onChange(exchange)
  }
  const follow = async (
    exchange: Exchange,
    open: (signal: AbortSignal) => Promise<AsyncGenerator<Frame, void, undefined> | undefined>,
  ): Promise<void> => {
    const stopper = new AbortController()
    running = stopper
    const { signal } = stopper
    try {
      for (let attempt = 0; ; attempt++) {
        try {
          const frames = await (attempt === 0 ? open(signal) : server.resume(chatId, signal))
          if (!frames) {
            fail(exchange, { kind: 'interrupted', message: '', until: undefined })
            break
          }
          begin(exchange)
          for await (const frame of frames) {
            if (signal.aborted) break
            threadId = threadOf(frame) ?? threadId
            applyFrame(exchange, frame)
            changed(exchange)
          }
          // The stream ends in order after an error of its own, too.
          if (exchange.state === 'writing' || exchange.state === 'waiting') exchange.state = 'done'
          break
        } catch (error) {
          const pause = waits[attempt]
          const broke = !(error instanceof Refusal) && (attempt > 0 || exchange.state === 'writing')
          if (signal.aborted || !broke || pause === undefined) throw error
          await new Promise((resolve) => setTimeout(resolve, pause))
          if (signal.aborted) throw error
        }
      }
    } catch (error) {
      if (!signal.aborted) fail(exchange, problemOf(error))
    }
    if (running !== stopper) return
    running = undefined
    exchange.activity = undefined
    exchange.status = undefined
    changed(exchange)
    onEnd(exchange)
  }
  const send = (exchange: Exchange, trigger: string): void => {
    begin(exchange)
    changed(exchange)
    const { selection } = exchange
    void follow(exchange, (signal) =>
      server.ask(
        {
          id: chatId,
          trigger,
          fp,
          threadId: threadId ?? null,
          messages: messagesUpTo(exchanges, exchange, files),
          currentPath: currentPath(),
          ...(selection && { context: [selection] }),
        },
        signal,
      ),
    )
  }
  return {
    get exchanges() {
      return exchanges
    },
    get threadId() {
      return threadId
    },
    isBusy: () => running !== undefined,
    ask(question) {
      const text = question.text.trim()
      if (text === '' || running) return
      files = question.files ?? []
      const exchange: Exchange = {
        id: newId(),
        question: text,
        selection: question.selection,
        files: files.map(({ filename }) => filename),
        ...nothingYet(),
      }
      exchanges = [...exchanges, exchange]
      changed()
      send(exchange, 'submit-message')
    },
    stop() {
      const last = exchanges.at(-1)
      const stopper = running
      running = undefined
      stopper?.abort()
      if (!last || !stopper) return
      last.state = 'stopped'
      last.activity = undefined
      last.status = undefined
      changed(last)
      onEnd(last)
    },
    retry() {
      const last = exchanges.at(-1)
      if (last && !running) send(last, 'regenerate-message')
    },
    clear() {
      running?.abort()
      running = undefined
      ;[chatId, threadId, exchanges] = [newId(), undefined, []]
      changed()
    },
    resume() {
      const last = exchanges.at(-1)
      if (!last || running || (last.state !== 'waiting' && last.state !== 'writing')) return
      void follow(last, (signal) => server.resume(chatId, signal))
    },
    leave() {
      running?.abort()
      running = undefined
    },
    async rate(exchange, rating, { reason, note } = {}) {
      if (threadId === undefined) return
      await server.rate({
        threadId,
        messageId: exchange.answerId ?? null,
        rating: rating ?? null,
        reason,
        note,
        fp,
      })
      exchange.rating = rating
      changed(exchange)
    },
  }
}

function threadOf({ messageMetadata }: Frame): string | undefined {
  const id = isRecord(messageMetadata) ? messageMetadata['threadId'] : undefined
  return typeof id === 'string' ? id : undefined
}

function problemOf(error: unknown): Problem {
  if (!(error instanceof Refusal)) return { kind: 'offline', message: '', until: undefined }
  const { status, message, wait } = error
  const kind = status === 429 ? 'limit' : [401, 403, 404].includes(status) ? 'key' : 'failed'
  return { kind, message, until: wait === undefined ? undefined : Date.now() + wait * 1000 }
}

/** The conversation as the server reads it. Where it keeps no texts, this is all that it knows. */
function messagesUpTo(
  exchanges: readonly Exchange[],
  last: Exchange,
  files: readonly AttachedFile[],
): object[] {
  return exchanges.slice(-mostTurns).flatMap(({ id, question, answerId, text }) => {
    const isLast = id === last.id
    const attached = isLast ? files.map((file) => ({ type: 'file', ...file })) : []
    const asked = { id, role: 'user', parts: [...attached, { type: 'text', text: question }] }
    if (isLast || text === '') return [asked]
    return [asked, { id: answerId ?? `${id}-answer`, role: 'assistant', parts: [{ type: 'text', text }] }]
  })
}
