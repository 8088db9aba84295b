import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { AppError } from '../lib/errors.ts'
import type { RequestContext, Sharer } from './endpoint.ts'
import { createPool } from './pool.ts'
import { sharerOf } from './sharer.ts'

/**
 * The first bytes of every body are not counted, so that a question or a prompt gets through whatever others send.
 */
const small = 16 * 1024

const arriving = createPool({
  name: 'body-bytes',
  total: 128 * 1024 * 1024,
  unit: 'content-bytes',
  what: 'large requests are in progress',
  advice: 'try again soon',
})

/** How slowly a body may arrive. It occupies memory all that time. */
interface BodyTimeouts {
  /** The most milliseconds without a byte. */
  idle: number
  /** Milliseconds that a small body may take, whatever the speed of the connection. */
  start: number
  bytesPerSecond: number
  /** The most milliseconds for the largest body. */
  total: number
}

const usualTimeouts: BodyTimeouts = { idle: 15_000, start: 20_000, bytesPerSecond: 16 * 1024, total: 120_000 }

export interface BytesOptions {
  /** Bytes, unpacked; more is 413. */
  limit: number
  /** Whose share of the memory is used; the caller's by default. */
  sharer?: Sharer
  timeouts?: BodyTimeouts
  /** Called with the bytes as they arrive; may throw. */
  watch?: (chunk: Uint8Array) => void
}

/**
 * The bytes of the request body, unpacked where it is compressed with gzip; empty when there is none.
 * @throws AppError `too_large`, `unsupported` for another compression, `invalid` when the body ends early or arrives too
 * slowly, `unavailable`; LimitError
 */
export async function readBytes(
  context: Pick<RequestContext, 'req' | 'get'>,
  { limit, sharer = sharerOf(context), timeouts = usualTimeouts, watch }: BytesOptions,
): Promise<Buffer> {
  const tooLarge = (): AppError =>
    new AppError('too_large', `The request body exceeds the ${limit / 1024 / 1024} MiB limit`)
  if (Number(context.req.header('content-length') ?? 0) > limit) throw tooLarge()
  const encoding = (context.req.header('content-encoding') ?? 'identity').trim().toLowerCase()
  if (!['', 'identity', 'gzip', 'x-gzip'].includes(encoding))
    throw new AppError(
      'unsupported',
      'The request body has an unknown Content-Encoding. Send it compressed with gzip, or plain',
    )
  const reader = context.req.raw.body?.getReader()
  if (!reader) return Buffer.alloc(0)
  const chunks: Uint8Array[] = []
  let size = 0
  using memory = arriving.hold(sharer)
  using clock = startClock(timeouts, () => void reader.cancel().catch(() => {}))
  const arrivingChunks = readChunks(reader, clock)
  try {
    for await (const chunk of encoding.endsWith('gzip') ? gunzipped(arrivingChunks) : arrivingChunks) {
      const counted = Math.max(0, size - small)
      size += chunk.byteLength
      if (size > limit) throw tooLarge()
      watch?.(chunk)
      memory.take(Math.max(0, size - small) - counted)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    if (isZlibError(cause)) throw new AppError('invalid', 'The request body is not valid gzip', { cause })
    // The client has disconnected and will not read this. The error only keeps it from being logged as a defect.
    throw new AppError('invalid', 'The request body ended early; send it again', { cause })
  }
}

async function* readChunks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  clock: Clock,
): AsyncGenerator<Uint8Array> {
  for (let size = 0; ;) {
    const { done, value } = await reader.read()
    if (clock.late)
      throw new AppError('invalid', 'The request timed out before the full body arrived. Try again')
    if (done) return
    size += value.byteLength
    clock.arrived(size)
    yield value
  }
}

// Unpacked piece by piece, so that no more is unpacked than is still within the limit.
async function* gunzipped(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip()
  const feeding = pipeline(packed, gunzip)
  feeding.catch(() => undefined)
  try {
    for await (const chunk of gunzip) yield chunk as Buffer
    await feeding
  } finally {
    gunzip.destroy()
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

interface Clock extends Disposable {
  readonly late: boolean
  /** @param size bytes so far */
  arrived(size: number): void
}

// Counts its own ticks instead of the time, so that a blocked process does not look like a slow client.
function startClock({ idle, start, bytesPerSecond, total }: BodyTimeouts, onLate: () => void): Clock {
  const step = Math.min(1000, idle / 10)
  let [passed, quiet, size, late] = [0, 0, 0, false]
  const timer = setInterval(() => {
    passed += step
    quiet += step
    const allowed = Math.min(total, start + (size / bytesPerSecond) * 1000)
    if (quiet < idle && passed < allowed) return
    late = true
    clearInterval(timer)
    onLate()
  }, step)
  return {
    get late() {
      return late
    },
    arrived(bytes) {
      quiet = 0
      size = bytes
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
