export type SpanValues = Record<string, string | number | boolean | string[]>

/** One measured piece of work, with the context in which the spans below it are made. */
export interface Span {
  set(values: SpanValues): void
  event(name: string): void
  within<T>(work: () => T): T
  /** @param error what made the work fail; only its kind is sent, because messages may hold texts of people */
  end(error?: { thrown: unknown }): void
}

/** Where a span belongs that has no other one around it. Both are headers `traceparent`. */
export interface SpanOrigin {
  /** Of a client, whose trace goes on here. */
  parent?: string | undefined
  /** Of what has caused this work, which was done at another time: it gets a trace of its own. */
  link?: string | undefined
}

/** Sends spans somewhere. */
export interface Tracer {
  begin(name: string, values: SpanValues, origin: SpanOrigin): Span
  /** The `traceparent` of the span around. */
  current(): string | undefined
}

/** A span that has ended. */
export interface Measured {
  /** Stands for all work of one kind; what is special about this one is in the values. */
  name: string
  /** With `error.type` where it has failed. */
  values: SpanValues
  seconds: number
  /** Seconds until each event happened first. */
  events: ReadonlyMap<string, number>
}

const nothing: Span = {
  set: () => undefined,
  event: () => undefined,
  within: (work) => work(),
  end: () => undefined,
}
let tracer: Tracer = { begin: () => nothing, current: () => undefined }
let meter: (measured: Measured) => void = () => undefined

/** Sets where spans of this thread go from now on. Without it they go nowhere. */
export function traceWith(other: Tracer): void {
  tracer = other
}

/** Sets what counts the ended spans of this thread from now on. */
export function measureWith(other: (measured: Measured) => void): void {
  meter = other
}

/** The `traceparent` of the span around, for work that is done later; undefined where nothing is traced. */
export function currentTrace(): string | undefined {
  return tracer.current()
}

/** Counts work that is no span, because it took longer than any process works on it at once. */
export function measure(name: string, values: SpanValues, seconds: number): void {
  meter({ name, values, seconds, events: new Map() })
}

/** Begins a span below the one around it. Whoever calls this ends it. */
export function beginSpan(name: string, values: SpanValues, origin: SpanOrigin = {}): Span {
  const span = tracer.begin(name, values, origin)
  const all = { ...values }
  const events = new Map<string, number>()
  const began = performance.now()
  const elapsed = (): number => (performance.now() - began) / 1000
  return {
    set(more) {
      Object.assign(all, more)
      span.set(more)
    },
    event(what) {
      if (!events.has(what)) events.set(what, elapsed())
      span.event(what)
    },
    within: span.within,
    end(error) {
      if (error && !('error.type' in all)) this.set({ 'error.type': kindOfError(error.thrown) })
      span.end(error)
      meter({ name, values: all, seconds: elapsed(), events })
    },
  }
}

/** What went wrong, as a word: errors of our own have one of a short list. */
export function kindOfError(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'unknown'
  const words: unknown[] = [Reflect.get(thrown, 'kind'), Reflect.get(thrown, 'code')]
  const isWord = (word: unknown): word is string => typeof word === 'string' && /^\w{1,40}$/.test(word)
  return words.find(isWord) ?? thrown.name
}

export async function inSpan<T>(
  name: string,
  values: SpanValues,
  work: (span: Span) => Promise<T>,
  origin?: SpanOrigin,
): Promise<T> {
  const span = beginSpan(name, values, origin)
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
  const span = beginSpan(name, values)
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
