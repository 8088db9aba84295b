import { makeStorable } from '../../lib/plain-text.ts'

/** Pieces of text as they come. @param onCancel called when the reader goes away; the pieces are then closed */
export function textStream(
  pieces: AsyncGenerator<string, void, undefined>,
  onCancel: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      onCancel()
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
