import { endingSignal } from '../lib/ending-signal.ts'
import type { ErrorCode } from '../lib/errors.ts'
import type { RequestContext } from './endpoint.ts'
import { toAppError } from './errors.ts'
import { exchangeSignal } from './exchange.ts'
import { createPool, type Pool } from './pool.ts'
import { sharerOf } from './sharer.ts'

/** Milliseconds of silence after which something is sent to keep a connection open. */
export const quiet = 15_000

/** Sent while nothing else is. A comment needs no empty line, which some clients take for an event without a name. */
export const stillHere = ': nothing new\n'

/** Names the charset, because clients take text without one for ISO-8859-1. */
export const eventStreamType = 'text/event-stream; charset=utf-8'

/** Connections that wait for events of a job. */
export const eventStreams = createPool({
  name: 'event-streams',
  total: 300,
  unit: 'concurrent-requests',
  what: 'event streams are open',
  advice: 'read the events page instead, or close some',
})

/** Why a stream ends: there is nothing more to come, the server stops, or the code of an error. */
export interface StreamEnd {
  reason: 'over' | 'stopping' | ErrorCode
  message: string
}

interface StreamOptions {
  pool: Pool
  /** Aborts when the server begins to stop. */
  stopping: AbortSignal
  /** Writes why the stream ends, as its readers understand it. A comment by default. */
  writeEnd?: (end: StreamEnd) => string
}

/**
 * Sends pieces of text as Server-Sent Events until there are no more, and says at the end why.
 * @throws LimitError when the sharer has too many open streams, AppError `unavailable` when this process has too
 * many
 */
export function eventStream(
  context: RequestContext,
  { pool, stopping, writeEnd = ({ reason }) => `: ${reason}\n` }: StreamOptions,
  write: (signal: AbortSignal) => AsyncGenerator<string>,
): Response {
  const place = pool.hold(sharerOf(context))
  place.take(1)
  const gone = exchangeSignal(context)
  const reading = endingSignal({ signals: [gone, stopping] })
  const pieces = untilTheEnd(write(reading.signal), stopping, writeEnd)
  const encoder = new TextEncoder()
  const end = (): void => {
    reading[Symbol.dispose]()
    place.release()
  }
  gone.addEventListener('abort', end, { once: true })
  if (gone.aborted) end()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (!done) return controller.enqueue(encoder.encode(value))
      end()
      controller.close()
    },
    async cancel() {
      end()
      await pieces.return(undefined)
    },
  })
  return new Response(body, {
    headers: {
      'Content-Type': eventStreamType,
      'Cache-Control': 'no-cache',
      'X-Accel-Buffering': 'no',
    },
  })
}

async function* untilTheEnd(
  pieces: AsyncGenerator<string>,
  stopping: AbortSignal,
  writeEnd: (end: StreamEnd) => string,
): AsyncGenerator<string> {
  try {
    yield* pieces
  } catch (thrown) {
    // The status has already been sent. The client reconnects and gets the error then.
    const { code, message } = toAppError(thrown)
    yield writeEnd({ reason: code, message })
    return
  }
  yield writeEnd(
    stopping.aborted
      ? { reason: 'stopping', message: 'The server is stopping. Connect again' }
      : { reason: 'over', message: 'There is nothing more to come' },
  )
}
