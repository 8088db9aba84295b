import { AppError } from '../../lib/errors.ts'
import type { RequestContext } from '../endpoint.ts'

/** Bytes of bodies that are being read now, over all requests: whoever sends them has shown no key yet. */
const heldAtMost = 64 * 1024 * 1024
let held = 0

/** The body as it came, for signatures. @throws AppError `too_large`, `unavailable` or `invalid` */
export async function readBytes(context: RequestContext, limit: number): Promise<Uint8Array> {
  const tooLarge = new AppError('too_large', `The request body is over ${limit / 1024 / 1024} MiB; send less`)
  if (Number(context.req.header('content-length') ?? 0) > limit) throw tooLarge
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of context.req.raw.body ?? []) {
      size += chunk.byteLength
      held += chunk.byteLength
      if (size > limit) throw tooLarge
      if (held > heldAtMost)
        throw new AppError('unavailable', 'Too many large requests are under way; try again soon')
      chunks.push(chunk)
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('invalid', 'The request body ended early; send it again', { cause })
  } finally {
    held -= size
  }
  return Buffer.concat(chunks)
}
