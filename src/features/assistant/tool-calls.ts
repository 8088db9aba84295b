import type { Frame } from './downgrade-frames.ts'

/** Keeps the calls of a reply apart and sees that each of them ends. */
export interface ToolCalls {
  /** The frames to send for one of a call; others pass as they are. */
  take(frame: Frame): Frame[]
  /** Ends the calls that are still open. */
  close(): Frame[]
}

interface Call {
  id: string
  toolName: unknown
  /** Its input is known to the client. */
  made: boolean
}

export function createToolCalls(): ToolCalls {
  const open = new Map<unknown, Call>()
  const used = new Set<string>()

  // Some servers count calls from the start in every step; for clients that would be one call.
  const begin = (frame: Frame): Call => {
    const own = String(frame['toolCallId'])
    let id = own
    for (let n = 2; used.has(id); n++) id = `${own}-${n}`
    used.add(id)
    const call = { id, toolName: frame['toolName'], made: false }
    open.set(frame['toolCallId'], call)
    return call
  }

  return {
    take(frame) {
      if (!frame.type.startsWith('tool-')) return [frame]
      const call = open.get(frame['toolCallId']) ?? begin(frame)
      if (frame.type === 'tool-input-available') call.made = true
      if (frame.type.startsWith('tool-output-')) open.delete(frame['toolCallId'])
      return [{ ...frame, toolCallId: call.id }]
    },
    close() {
      const calls = [...open.values()]
      open.clear()
      return calls.flatMap(({ id, toolName, made }) => [
        ...(made ? [] : [{ type: 'tool-input-available', toolCallId: id, toolName, input: {} }]),
        { type: 'tool-output-error', toolCallId: id, errorText: 'This call was broken off' },
      ])
    },
  }
}
