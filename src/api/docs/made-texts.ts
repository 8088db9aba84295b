import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { createFairQueue } from '../../lib/fair-queue.ts'

/** Large texts about a project that many ask for. Each is made once for a version, and kept compressed. */
export interface MadeTexts {
  /**
   * The text as far as it is made, and the rest as it comes.
   * @param place names the text; the version that was kept there before is dropped
   * @param make called only when this version is not there; each piece should be small
   */
  read(
    place: { projectId: string; file: string; version: string },
    encoding: 'gzip' | 'identity',
    make: () => AsyncIterable<string>,
  ): Readable
}

interface Limits {
  /** Bytes of all texts that are kept. The one that was read last stays, however large. */
  most?: number
  /** Milliseconds without a reader after which a text is dropped. */
  idle?: number
}

interface MadeText {
  version: string
  /** Compressed. */
  chunks: Buffer[]
  size: number
  state: { ended: boolean; failure?: Error }
  /** Resolves when there is more, or the end. */
  next: PromiseWithResolvers<void>
  rest?: NodeJS.Timeout
}

/** Bytes of what is sent at once. */
const piece = 128 * 1024

export function createMadeTexts({ most = 64 * 1024 * 1024, idle = 600_000 }: Limits = {}): MadeTexts {
  /** The least recently read one comes first. */
  const kept = new Map<string, MadeText>()
  const queue = createFairQueue({ atOnce: 3, each: 1, waiting: { each: 4, all: 1000 } })

  const forget = (key: string, text: MadeText): void => {
    clearTimeout(text.rest)
    if (kept.get(key) === text) kept.delete(key)
  }
  const dropOldest = (last: MadeText): void => {
    let size = 0
    for (const text of kept.values()) size += text.size
    for (const [key, text] of kept) {
      if (size <= most) return
      if (text === last) continue
      size -= text.size
      forget(key, text)
    }
  }
  const begin = (key: string, projectId: string, version: string, make: () => AsyncIterable<string>) => {
    const text: MadeText = {
      version,
      chunks: [],
      size: 0,
      state: { ended: false },
      next: Promise.withResolvers(),
    }
    const wake = (): void => {
      text.next.resolve()
      text.next = Promise.withResolvers()
    }
    const work = async (): Promise<void> => {
      const leave = await queue.enter(projectId)
      try {
        await pipeline(Readable.from(make()), createGzip({ chunkSize: piece }), async (made) => {
          for await (const chunk of made) {
            text.chunks.push(chunk)
            text.size += chunk.byteLength
            dropOldest(text)
            wake()
          }
        })
      } finally {
        leave()
      }
    }
    void work()
      .catch((error: unknown) => {
        text.state.failure = error instanceof Error ? error : new Error(String(error))
        forget(key, text)
      })
      .finally(() => {
        text.state.ended = true
        wake()
      })
    return text
  }

  return {
    read({ projectId, file, version }, encoding, make) {
      const key = `${projectId} ${file}`
      const known = kept.get(key)
      const text = known?.version === version ? known : begin(key, projectId, version, make)
      if (known) forget(key, known)
      kept.set(key, text)
      text.rest = setTimeout(() => forget(key, text), idle).unref()
      const compressed = Readable.from(chunksOf(text), { objectMode: false })
      if (encoding === 'gzip') return compressed
      const plain = createGunzip({ chunkSize: piece })
      // The one who reads it is told of an error.
      pipeline(compressed, plain).catch(() => undefined)
      return plain
    },
  }
}

async function* chunksOf(text: MadeText): AsyncGenerator<Buffer, void> {
  for (let at = 0; ;) {
    const chunk = text.chunks[at]
    if (chunk) {
      at += 1
      yield chunk
    } else if (!text.state.ended) await text.next.promise
    else if (text.state.failure) throw text.state.failure
    else return
  }
}
