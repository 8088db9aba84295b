import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { isRecord } from '../lib/is-record.ts'

/** The output of a tool; `value` is the output as JSON, `message` the message of a failed call. */
export type ToolOutput = { ok: true; value: unknown } | { ok: false; code: string; message: string }

/** A tool call since the last user message, with its output once there is one. */
interface AnsweredCall {
  id: string
  tool: string
  input: unknown
  output: ToolOutput | undefined
}

/** The parts of a prompt that the built-in model uses. System messages are not among them. */
export interface Transcript {
  /** Texts of all user messages, oldest first. */
  asked: string[]
  /** What the model said at the end of the turn before the last user message. */
  said: string
  /** Calls since the last user message, in order. */
  calls: AnsweredCall[]
}

export function readTranscript(prompt: LanguageModelV4Prompt): Transcript {
  const userTexts: string[] = []
  let calls: AnsweredCall[] = []
  let [said, before] = ['', '']
  let open = new Map<string, AnsweredCall>()
  for (const message of prompt) {
    if (message.role === 'user') {
      const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      userTexts.push(texts.join('\n'))
      said = before
      calls = []
      open = new Map()
      continue
    }
    if (message.role === 'system') continue
    for (const part of message.content) {
      if (part.type === 'text') before = part.text
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
  return { asked: userTexts, said, calls }
}

function readOutput(output: LanguageModelV4ToolResultPart['output']): ToolOutput {
  switch (output.type) {
    case 'json':
    case 'error-json':
      return judge(output.value, output.type === 'error-json')
    case 'text':
    case 'error-text':
      return judge(parseJson(output.value), output.type === 'error-text')
    case 'content':
      return judge(
        parseJson(output.value.map((part) => (part.type === 'text' ? part.text : '')).join('')),
        false,
      )
    case 'execution-denied':
      return { ok: false, code: 'denied', message: output.reason ?? 'the call was not allowed' }
    default:
      return { ok: false, code: 'unknown', message: 'the tool answered in a form that is not understood' }
  }
}

function judge(value: unknown, isError: boolean): ToolOutput {
  const error =
    isRecord(value) && value['error'] !== undefined && value['error'] !== null ? value['error'] : undefined
  if (!isError && error === undefined) return { ok: true, value }
  const failure = error ?? value
  if (!isRecord(failure))
    return { ok: false, code: 'failed', message: typeof failure === 'string' ? failure : 'the call failed' }
  const code = typeof failure['code'] === 'string' ? failure['code'] : 'failed'
  return { ok: false, code, message: typeof failure['message'] === 'string' ? failure['message'] : code }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
