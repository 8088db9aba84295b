import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'

/** What a tool gave back; `value` is the output as JSON, `message` what a failed call said. */
export type ToolOutput = { ok: true; value: unknown } | { ok: false; code: string; message: string }

/** A tool call since the last user message, with its output once there is one. */
export interface AnsweredCall {
  id: string
  tool: string
  input: unknown
  output: ToolOutput | undefined
}

/** The parts of a prompt that the built-in model acts on. System messages are never among them. */
export interface Transcript {
  /** Texts of all user messages, oldest first. */
  asked: string[]
  /** Calls since the last user message, in order. */
  calls: AnsweredCall[]
}

export function readTranscript(prompt: LanguageModelV4Prompt): Transcript {
  const asked: string[] = []
  let calls: AnsweredCall[] = []
  let open = new Map<string, AnsweredCall>()
  for (const message of prompt) {
    if (message.role === 'user') {
      const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      asked.push(texts.join('\n'))
      calls = []
      open = new Map()
      continue
    }
    if (message.role === 'system') continue
    for (const part of message.content) {
      if (part.type === 'tool-call') {
        const { toolCallId: id, toolName: tool, input } = part
        const call: AnsweredCall = { id, tool, input, output: undefined }
        calls.push(call)
        open.set(id, call)
      } else if (part.type === 'tool-result') {
        const call = open.get(part.toolCallId)
        open.delete(part.toolCallId)
        if (call) call.output = readOutput(part.output)
        else {
          const { toolCallId: id, toolName: tool } = part
          calls.push({ id, tool, input: undefined, output: readOutput(part.output) })
        }
      }
    }
  }
  return { asked, calls }
}

function readOutput(output: LanguageModelV4ToolResultPart['output']): ToolOutput {
  switch (output.type) {
    case 'json':
      return judge(output.value)
    case 'text':
      return judge(parseJson(output.value))
    case 'content': {
      const text = output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
      return judge(parseJson(text))
    }
    case 'error-json':
      return { ok: false, ...failureOf(output.value) }
    case 'error-text':
      return { ok: false, ...failureOf(parseJson(output.value)) }
    case 'execution-denied':
      return { ok: false, code: 'denied', message: output.reason ?? 'the call was not allowed' }
    default:
      return { ok: false, code: 'unknown', message: 'the tool answered in a form that is not understood' }
  }
}

function judge(value: unknown): ToolOutput {
  if (typeof value === 'object' && value !== null && 'error' in value && value.error !== null) {
    return { ok: false, ...failureOf(value) }
  }
  return { ok: true, value }
}

function failureOf(value: unknown): { code: string; message: string } {
  const inner = typeof value === 'object' && value !== null && 'error' in value ? value.error : value
  if (typeof inner === 'string') return { code: 'failed', message: inner }
  if (typeof inner !== 'object' || inner === null) return { code: 'failed', message: 'the call failed' }
  const code = 'code' in inner && typeof inner.code === 'string' ? inner.code : 'failed'
  const message = 'message' in inner && typeof inner.message === 'string' ? inner.message : code
  return { code, message }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
