import type { JobEvent } from '../../../features/agent/events.ts'
import type { EventFeed } from '../../../features/agent/follow-events.ts'
import type { Job } from '../../../features/agent/jobs.ts'
import type { Sharer } from '../../endpoint.ts'
import { toAppError } from '../../errors.ts'
import { createPool } from '../../pool.ts'

/** Milliseconds of silence after which a comment keeps the connection open. */
const quiet = 15_000

const streams = createPool({
  name: 'event-streams',
  total: 300,
  unit: 'concurrent-requests',
  what: 'event streams are open',
  advice: 'read the events page instead, or close some',
})

export interface StreamOptions {
  feed: EventFeed
  job: Job
  sharer: Sharer
  after: number
  /** An event as the JSON page shows it. */
  show(event: JobEvent): unknown
  /** Asked before anything is sent: throws once the key may no longer see the job. */
  requireAccess(): Promise<unknown>
  /** Aborts when the reader is gone. */
  gone: AbortSignal
  /** Aborts when the server begins to stop. */
  stopping: AbortSignal
}

/**
 * Events as Server-Sent Events: `id` to resume from, `event` the type, `data` as in the page. Ends with a comment.
 * @throws LimitError when the sharer has its share of them, AppError `unavailable` when this process takes no more
 */
export function streamEvents(options: StreamOptions): Response {
  const place = streams.hold(options.sharer)
  place.take(1)
  const reader = new AbortController()
  const chunks = chunksOf(options, AbortSignal.any([reader.signal, options.gone, options.stopping]))
  const encoder = new TextEncoder()
  const end = (): void => {
    reader.abort()
    place.release()
  }
  options.gone.addEventListener('abort', end, { once: true })
  if (options.gone.aborted) end()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (!done) return controller.enqueue(encoder.encode(value))
      end()
      controller.close()
    },
    async cancel() {
      end()
      await chunks.return(undefined)
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

async function* chunksOf(options: StreamOptions, signal: AbortSignal): AsyncGenerator<string> {
  const { feed, job, after, show, requireAccess, stopping } = options
  yield ': events\n\n'
  try {
    for await (const events of feed.follow(job, { after, quiet, signal })) {
      await requireAccess()
      if (!events) yield ': nothing new\n\n'
      else
        yield events
          .map((event) => `id: ${event.n}\nevent: ${event.type}\ndata: ${JSON.stringify(show(event))}\n\n`)
          .join('')
    }
  } catch (error) {
    // The status is sent already: the reader comes again and is told then.
    yield `: ${toAppError(error).code}\n\n`
    return
  }
  yield stopping.aborted ? ': the server is stopping, connect again\n\n' : ': end\n\n'
}
