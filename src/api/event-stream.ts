import { endingSignal } from '../lib/ending-signal.ts'
import type { RequestContext } from './endpoint.ts'
import { toAppError } from './errors.ts'
import { exchangeSignal } from './exchange.ts'
import type { Pool } from './pool.ts'
import { sharerOf } from './sharer.ts'

/** Milliseconds of silence after which something is sent to keep a connection open. */
export const quiet = 15_000

interface StreamOptions {
  pool: Pool
  /** Aborts when the server begins to stop. */
  stopping: AbortSignal
}

/**
 * Sends pieces of text as Server-Sent Events until there are no more, and says at the end why in a comment.
 * @throws LimitError when the sharer has too many open streams, AppError `unavailable` when this process has too
 * many
 */
export function eventStream(
  context: RequestContext,
  { pool, stopping }: StreamOptions,
  write: (signal: AbortSignal) => AsyncGenerator<string>,
): Response {
  const place = pool.hold(sharerOf(context))
  place.take(1)
  const gone = exchangeSignal(context)
  const reading = endingSignal({ signals: [gone, stopping] })
  const pieces = untilTheEnd(write(reading.signal), stopping)
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
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache',
      'X-Accel-Buffering': 'no',
    },
  })
}

async function* untilTheEnd(pieces: AsyncGenerator<string>, stopping: AbortSignal): AsyncGenerator<string> {
  try {
    yield* pieces
  } catch (error) {
    // The status has already been sent. The client reconnects and gets the error then.
    yield `: ${toAppError(error).code}\n\n`
    return
  }
  yield stopping.aborted ? ': the server is stopping, connect again\n\n' : ': end\n\n'
}
