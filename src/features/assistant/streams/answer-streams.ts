import type { AskerColumn } from '../../../store/columns.ts'
import { startStream, type AnswerStream, type ReadAnswer } from './answer-stream.ts'
import { createRelay, type HeldAnswer, type RelayPorts, type StreamKey } from './relay.ts'

/** The answers that this process is writing, and those that ended a short time ago without a reader. */
export interface AnswerStreams {
  /**
   * Writes an answer to its end, for the reader that asked and for those that come back. When nobody reads it any
   * more, `stop` is called: at once, or a few seconds later if readers may come back.
   */
  start(source: Source, answer: NewStream): AnswerStream
  /**
   * The answer under way in a thread or a chat, in whichever process, or the last one if its reader left before the
   * end.
   * @param id thread id, or chat id of the request
   * @returns reads from the beginning; undefined when there is nothing to read. It throws AppError `unavailable` when
   * the process that writes the answer has died, or this one stops
   */
  find(projectId: string, id: string, reader: Reader): Promise<ReadAnswer | undefined>
}

interface NewStream extends StreamKey {
  /** Undefined: readers cannot come back. Empty: only by the thread. */
  chatId: string | undefined
  asker: AskerColumn
  /** Stops the model. */
  stop(): void
}

/** Who wants to read. Undefined parts are unknown. */
export type Reader = Omit<AskerColumn, 'minted'>

type Source = AsyncGenerator<string, void, undefined>

interface Ports extends RelayPorts {
  /** Milliseconds for which an answer goes on without a reader: as long as loading a page takes. */
  grace?: number | undefined
}

/** Milliseconds for which an answer is kept that ended without a reader. */
const kept = 60_000
/** Ids that people make up are shorter, and would be the same for several readers. */
const shortestId = 16

export function createAnswerStreams({ grace = 10_000, ...ports }: Ports): AnswerStreams {
  const held = new Map<string, HeldAnswer>()
  const relay =
    ports.store.engine === 'postgres' ? createRelay(ports, () => [...new Set(held.values())]) : undefined
  const placeOf = (projectId: string, id: string): string => `${projectId} ${id}`

  /** @param places where readers look for it */
  const hold = (source: Source, answer: NewStream, places: string[]): AnswerStream => {
    let timer: NodeJS.Timeout | undefined
    let idleSince = Date.now()
    const stream = startStream(source, () => {
      idleSince = Date.now()
      check()
    })
    const one: HeldAnswer = {
      ...answer,
      stream,
      wantedAt: 0,
      forget() {
        clearTimeout(timer)
        for (const place of places) if (held.get(place) === one) held.delete(place)
        relay?.forget(one)
      },
    }
    const check = (): void => {
      clearTimeout(timer)
      if (stream.delivered()) return one.forget()
      if (stream.readers() > 0) return
      const ended = stream.ended()
      if (ended) relay?.publish(one)
      const left = Math.max(idleSince, one.wantedAt) + (ended ? kept : grace) - Date.now()
      if (left > 0) timer = setTimeout(check, left).unref()
      else if (ended) one.forget()
      else answer.stop()
    }
    for (const place of places) {
      // Whoever asks again in a chat no longer waits for the answer before.
      const earlier = held.get(place)
      if (place !== placeOf(answer.projectId, answer.threadId) && earlier?.stream.readers() === 0)
        earlier.stop()
      held.set(place, one)
    }
    relay?.watch()
    return stream
  }

  return {
    start(source, answer) {
      const { projectId, threadId, chatId } = answer
      const ids = chatId === undefined ? [] : [threadId, chatId].filter((id) => id.length >= shortestId)
      const places = ids.map((id) => placeOf(projectId, id))
      if (places.length > 0) return hold(source, answer, places)
      const stream = startStream(source, () => {
        if (stream.readers() === 0) answer.stop()
      })
      return stream
    },
    async find(projectId, id, reader) {
      if (id.length < shortestId) return undefined
      const here = held.get(placeOf(projectId, id))
      if (here) return mayRead(here, id, reader) ? (signal) => here.stream.read(signal) : undefined
      return relay?.find(projectId, id, (threadId, asker) => mayRead({ threadId, asker }, id, reader))
    },
  }
}

/**
 * A key is public, and so may be the id of a chat, if a page gives all its visitors the same. Only the thread's id that
 * this server made is a secret; with any other the reader must be at the network address of the one who asked.
 */
function mayRead(
  { threadId, asker }: Pick<NewStream, 'threadId' | 'asker'>,
  id: string,
  reader: Reader,
): boolean {
  if (asker.key !== reader.key || asker.person !== reader.person) return false
  // Browsers send no origin with what they read from the page's own server.
  if (asker.origin !== undefined && reader.origin !== undefined && asker.origin !== reader.origin)
    return false
  return (asker.minted && id === threadId) || asker.address === reader.address
}
