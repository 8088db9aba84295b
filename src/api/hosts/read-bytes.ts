import { AppError } from '../../lib/errors.ts'
import type { RequestContext } from '../endpoint.ts'

/** Bytes of bodies that are being read now, over all requests: whoever sends them has shown no key yet. */
const heldAtMost = 64 * 1024 * 1024
/** The same of one project, whose id is no secret: so that its callers are not in the way of others. */
const share = 16 * 1024 * 1024
const held = new Map<string, number>()

/**
 * The body as it came, for signatures.
 * @param options.who whose share of the memory it takes
 * @param options.deadline milliseconds; what comes slower than any host is no call
 * @throws AppError `too_large`, `unavailable` or `invalid`
 */
export async function readBytes(
  context: Pick<RequestContext, 'req'>,
  { limit, who, deadline = 30_000 }: { limit: number; who: string; deadline?: number },
): Promise<Uint8Array> {
  const tooLarge = new AppError('too_large', `The request body is over ${limit / 1024 / 1024} MiB; send less`)
  if (Number(context.req.header('content-length') ?? 0) > limit) throw tooLarge
  const chunks: Uint8Array[] = []
  let size = 0
  const late = AbortSignal.timeout(deadline)
  try {
    for await (const chunk of context.req.raw.body?.pipeThrough(new TransformStream(), { signal: late }) ??
      []) {
      size += chunk.byteLength
      hold(who, chunk.byteLength)
      if (size > limit) throw tooLarge
      if ((held.get(who) ?? 0) > share || sum() > heldAtMost)
        throw new AppError('unavailable', 'Too many large requests are under way; try again soon')
      chunks.push(chunk)
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('invalid', 'The request body ended early; send it again', { cause })
  } finally {
    hold(who, -size)
  }
  return Buffer.concat(chunks)
}

function hold(who: string, bytes: number): void {
  const now = (held.get(who) ?? 0) + bytes
  if (now > 0) held.set(who, now)
  else held.delete(who)
}

function sum(): number {
  return [...held.values()].reduce((total, bytes) => total + bytes, 0)
}
