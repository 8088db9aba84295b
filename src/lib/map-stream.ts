/**
 * A stream made of another one, piece by piece; undefined leaves a piece out. What a TransformStream does in between
 * costs several times as much, and an answer comes in thousands of pieces.
 * @param end what stands after the last piece
 * @param left called where there is no last piece: the stream breaks off, or its reader leaves
 */
export function mapStream<In, Out>(
  stream: ReadableStream<In>,
  map: (piece: In) => Out | undefined,
  end: () => Out | undefined,
  left?: (reason: unknown) => void,
): ReadableStream<Out> {
  const reader = stream.getReader()
  return new ReadableStream<Out>({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          left?.(error)
          throw error
        })
        if (done) {
          const last = end()
          if (last !== undefined) controller.enqueue(last)
          return controller.close()
        }
        const mapped = mapOrCancel(value)
        if (mapped !== undefined) return controller.enqueue(mapped)
      }
    },
    cancel(reason) {
      left?.(reason)
      return reader.cancel(reason)
    },
  })

  function mapOrCancel(piece: In): Out | undefined {
    try {
      return map(piece)
    } catch (error) {
      void reader.cancel(error).catch(() => undefined)
      throw error
    }
  }
}
