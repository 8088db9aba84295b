import { makeStorable } from '../../lib/plain-text.ts'

/** Pieces of text as they come. @param onEnd called when they are out, and when the reader goes away; they are then closed */
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

/** JSON that this server takes back: clients echo what they got, and what cannot be stored is refused from them. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value)
  // NUL and lone surrogates are always written so, and little else is.
  if (!/\\u(?:0000|d[89a-f])/.test(text)) return text
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'string' ? makeStorable(inner) : inner,
  )
}
