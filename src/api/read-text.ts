import { AppError } from '../lib/errors.ts'
import { createValueCounter } from '../lib/json-values.ts'
import type { RequestContext } from './endpoint.ts'

/** What every body may hold, whatever the others do. */
const smallBody = 1024 * 1024
/** Bytes that all the larger bodies may hold together while they are read. */
const heldAtMost = 128 * 1024 * 1024
/** Far above the longest conversation; each value costs the main thread some of its time. */
const maximumValues = 250_000

let held = 0

/**
 * The body of a request as text.
 * @param limit bytes; more is 413
 * @throws AppError `too_large`, `invalid`, or `unavailable` while too many large bodies are on their way
 */
export async function readText(context: RequestContext, limit: number): Promise<string> {
  const tooLarge = new AppError('too_large', `The request body is over ${limit / 1024 / 1024} MiB; send less`)
  if (Number(context.req.header('content-length') ?? 0) > limit) throw tooLarge
  const body = context.req.raw.body
  if (!body) throw new AppError('invalid', 'The request body is empty; send a JSON object')
  const chunks: Uint8Array[] = []
  const counter = createValueCounter()
  let size = 0
  let mine = 0
  try {
    for await (const chunk of body) {
      size += chunk.byteLength
      if (size > limit) throw tooLarge
      if (counter.add(chunk) > maximumValues)
        throw new AppError('too_large', `The request body holds over ${maximumValues} values; send less`)
      if (size > smallBody) {
        mine += chunk.byteLength
        held += chunk.byteLength
        if (held > heldAtMost)
          throw new AppError('unavailable', 'Too many large requests are under way; try again soon')
      }
      chunks.push(chunk)
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    // Nobody is left to read this; a client that leaves only must not look like a defect.
    throw new AppError('invalid', 'The request body ended early; send it again', { cause })
  } finally {
    held -= mine
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch (cause) {
    throw new AppError('invalid', 'The request body is not valid UTF-8', { cause })
  }
}
