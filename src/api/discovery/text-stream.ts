import { makeStorable } from '../../lib/text/plain-text.ts'

/**
 * Streams pieces of text as they come.
 * @param onEnd called when all pieces are sent, or when the client disconnects; the source is then closed
 */
export function textStream(
  pieces: AsyncGenerator<string, void, undefined>,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next()
        if (done !== true) return controller.enqueue(encoder.encode(value))
      } catch (error) {
        onEnd()
        throw error
      }
      onEnd()
      controller.close()
    },
    async cancel() {
      onEnd()
      await pieces.return()
    },
  })
}

/**
 * JSON without characters that the database cannot store. Clients send answers back in their history, and requests
 * with such characters are refused.
 */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value)
  // `JSON.stringify` always escapes NUL and lone surrogates this way, and hardly anything else.
  if (!/\\u(?:0000|d[89a-f])/.test(text)) return text
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'string' ? makeStorable(inner) : inner,
  )
}
