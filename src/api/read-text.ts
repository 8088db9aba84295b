import { AppError } from '../lib/errors.ts'
import { createValueCounter } from '../lib/plain-text.ts'
import type { RequestContext } from './endpoint.ts'
import { readBytes } from './read-bytes.ts'

/** Far above the longest conversation; each value costs the main thread some of its time. */
const maximumValues = 250_000

/**
 * The body of a request as text.
 * @param limit bytes; more is 413
 * @throws AppError as `readBytes` does, and `invalid` for what is no text
 */
export async function readText(context: RequestContext, limit: number): Promise<string> {
  const counter = createValueCounter()
  const bytes = await readBytes(context, {
    limit,
    watch(chunk) {
      if (counter.add(chunk) > maximumValues)
        throw new AppError('too_large', `The request body holds over ${maximumValues} values; send less`)
    },
  })
  if (bytes.byteLength === 0) throw new AppError('invalid', 'The request body is empty; send a JSON object')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new AppError('invalid', 'The request body is not valid UTF-8', { cause })
  }
}
