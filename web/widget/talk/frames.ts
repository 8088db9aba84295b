/** A frame of an answer's stream; what is not known is left alone. */
export type Frame = { type: string } & Record<string, unknown>

/** Reads the server-sent events of an answer. A stream that breaks off throws; a whole one ends with `[DONE]`. */
export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) throw new TypeError('The stream broke off')
      rest += decoder.decode(value, { stream: true })
      const events = rest.split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) {
        const data = event.replace(/^data: ?/, '')
        if (data === '[DONE]') return
        const frame = frameOf(data)
        if (frame) yield frame
      }
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

function frameOf(data: string): Frame | undefined {
  try {
    const value: unknown = JSON.parse(data)
    return isRecord(value) && typeof value['type'] === 'string'
      ? { ...value, type: value['type'] }
      : undefined
  } catch {
    return undefined
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
