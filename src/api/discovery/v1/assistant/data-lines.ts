import type { Frame } from '../../../../features/assistant/downgrade-frames.ts'
import { storableJson } from '../../text-stream.ts'

/** Nothing is told of tokens: clients read null as unknown. */
const usage = { promptTokens: null, completionTokens: null }

/**
 * Frames as the data stream of AI SDK 4, a line each. It has no place for the thread, sources and suggestions, so they are
 * annotations of the message, nor for a failed call, so that is a result which holds `error`.
 */
export async function* dataLines(frames: AsyncGenerator<Frame>): AsyncGenerator<string, void, undefined> {
  let messageId: unknown
  let thread: unknown
  let called = false
  let said = false
  for await (const frame of frames) {
    switch (frame.type) {
      case 'start':
        messageId = frame['messageId']
        thread = frame['messageMetadata']
        break
      case 'start-step':
        called = false
        yield line('f', { messageId })
        if (thread !== undefined) yield line('8', [thread])
        thread = undefined
        break
      case 'tool-input-available':
        called = true
        yield line('9', {
          toolCallId: frame['toolCallId'],
          toolName: frame['toolName'],
          args: isObject(frame['input']) ? frame['input'] : { input: frame['input'] },
        })
        break
      case 'tool-output-available':
        yield line('a', { toolCallId: frame['toolCallId'], result: frame['output'] })
        break
      case 'tool-output-error':
        yield line('a', { toolCallId: frame['toolCallId'], result: { error: frame['errorText'] } })
        break
      case 'source-url':
        yield line('8', [{ source: { url: frame['url'], title: frame['title'] } }])
        break
      case 'text-start':
        // Texts of several steps are one to old clients.
        if (said) yield line('0', '\n\n')
        said = true
        break
      case 'text-delta':
        yield line('0', frame['delta'])
        break
      case 'data-suggestions':
        yield line('8', [{ suggestions: frame['data'] }])
        break
      case 'finish-step':
        yield line('e', { finishReason: called ? 'tool-calls' : 'stop', usage, isContinued: false })
        break
      case 'finish':
        yield line('d', { finishReason: 'stop', usage })
        break
      case 'error':
        yield line('3', frame['errorText'])
        break
      default:
    }
  }
}

function line(code: string, value: unknown): string {
  return `${code}:${storableJson(value)}\n`
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
