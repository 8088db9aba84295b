import type { UIMessageChunk } from 'ai'

/** One frame of the stream, with only what the oldest client knows. */
export interface Frame {
  type: string
  [key: string]: unknown
}

/**
 * Frames and their keys as `ai@5.0.0` knows them: clients up to 5.0.216, 6.0.230 and 7.0.31 refuse a whole reply for one
 * key more. Vendors' metadata and the marks of dynamic tools are left out as well: no client needs them.
 */
export const knownFrames: Record<string, string[]> = {
  start: ['messageId', 'messageMetadata'],
  'start-step': [],
  'reasoning-start': ['id'],
  'reasoning-delta': ['id', 'delta'],
  'reasoning-end': ['id'],
  'text-start': ['id'],
  'text-delta': ['id', 'delta'],
  'text-end': ['id'],
  'tool-input-start': ['toolCallId', 'toolName'],
  'tool-input-delta': ['toolCallId', 'inputTextDelta'],
  'tool-input-available': ['toolCallId', 'toolName', 'input'],
  'tool-output-available': ['toolCallId', 'output'],
  'tool-output-error': ['toolCallId', 'errorText'],
  'source-url': ['sourceId', 'url', 'title'],
  'message-metadata': ['messageMetadata'],
  'finish-step': [],
  finish: ['messageMetadata'],
  error: ['errorText'],
  abort: [],
}
const data = ['id', 'data', 'transient']

/** @returns the frames to send for a chunk; none for kinds that old clients do not know */
export function downgradeFrame(chunk: UIMessageChunk): Frame[] {
  // Old clients know a malformed call only as a call and its failure.
  if (chunk.type === 'tool-input-error')
    return [
      pick('tool-input-available', chunk, knownFrames['tool-input-available'] ?? []),
      pick('tool-output-error', chunk, knownFrames['tool-output-error'] ?? []),
    ]
  const keys = chunk.type.startsWith('data-') ? data : knownFrames[chunk.type]
  return keys ? [pick(chunk.type, chunk, keys)] : []
}

function pick(type: string, chunk: object, keys: string[]): Frame {
  const kept = Object.entries(chunk).filter(([key, value]) => keys.includes(key) && value !== undefined)
  return { type, ...Object.fromEntries(kept) }
}
