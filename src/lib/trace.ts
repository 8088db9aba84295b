export type SpanValues = Record<string, string | number | boolean>

/** One measured piece of work, with the context in which the spans below it are made. */
export interface Span {
  set(values: SpanValues): void
  event(name: string): void
  within<T>(work: () => T): T
  /** @param error what made the work fail; only its kind is sent, because messages may hold texts of people */
  end(error?: { thrown: unknown }): void
}

/** Begins a span below the one around it, or below that of a client (`traceparent`). */
export type Tracer = (name: string, values: SpanValues, traceparent?: string) => Span

const nothing: Span = {
  set: () => undefined,
  event: () => undefined,
  within: (work) => work(),
  end: () => undefined,
}
let begin: Tracer = () => nothing

/** Sets where spans of this thread go from now on. Without it they go nowhere. */
export function traceWith(tracer: Tracer): void {
  begin = tracer
}

export async function inSpan<T>(
  name: string,
  values: SpanValues,
  work: (span: Span) => Promise<T>,
  traceparent?: string,
): Promise<T> {
  const span = begin(name, values, traceparent)
  try {
    const result = await span.within(() => work(span))
    span.end()
    return result
  } catch (error) {
    span.end({ thrown: error })
    throw error
  }
}

/** A span around a stream, until it has ended or its reader has left. */
export async function* streamInSpan<T>(
  name: string,
  values: SpanValues,
  items: AsyncGenerator<T>,
  onItem: (span: Span, item: T) => void,
): AsyncGenerator<T> {
  const span = begin(name, values)
  let failed: { thrown: unknown } | undefined
  try {
    for (;;) {
      // Each piece is made in the context of whoever asks for it.
      const next = await span.within(() => items.next())
      if (next.done) return
      onItem(span, next.value)
      yield next.value
    }
  } catch (error) {
    failed = { thrown: error }
    throw error
  } finally {
    await span.within(() => items.return(undefined))
    span.end(failed)
  }
}
