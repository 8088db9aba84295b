import { wrapLanguageModel } from 'ai'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Model } from '../../../../integrations/models/model.ts'
import { startOfCall } from './find-start.ts'
import { parseCalls, type WrittenCall } from '../../../../lib/text/parse-calls.ts'

type Part = LanguageModelV4StreamPart

/** Characters before a call that is written as data: an answer that is about such data has more to say. */
const longestLead = 300
/** Characters that are held back at most. */
const longestHeld = 8000
/** The tools of the assistant, which calls are known by when none is offered. */
const ownTools = ['search', 'read_page']

/**
 * A model whose calls also count where it writes them into its text, as models do whose servers read no calls. Such text is
 * never shown. The tools only read, so that a call that was no call costs a look.
 */
export function runWrittenCalls(model: Model): Model {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      async wrapStream({ doStream, params }) {
        const result = await doStream()
        const offered = (params.tools ?? []).flatMap((tool) => (tool.type === 'function' ? tool.name : []))
        return { ...result, stream: readCalls(result.stream, offered) }
      },
    },
  })
}

function readCalls(parts: ReadableStream<Part>, offered: readonly string[]): ReadableStream<Part> {
  const source = parts.getReader()
  const reader = createCallReader(offered)
  const ready: Part[] = []
  return new ReadableStream<Part>({
    async pull(controller) {
      while (ready.length === 0) {
        const { done, value } = await source.read()
        if (done) return controller.close()
        ready.push(...reader(value))
      }
      const next = ready.shift()
      if (next) controller.enqueue(next)
    },
    cancel: (reason) => source.cancel(reason),
  })
}

function createCallReader(offered: readonly string[]): (part: Part) => Part[] {
  const names = offered.length === 0 ? ownTools : offered
  let id: string | undefined
  let isOpen = false
  /** What is not decided yet; it begins at the beginning of a line unless the line is known to hold no call. */
  let held = ''
  let isInLine = false
  let isInFence = false
  let lead = ''
  let calls = 0

  const show = (text: string): Part[] => {
    if (text === '' || id === undefined) return []
    const start: Part[] = isOpen ? [] : [{ type: 'text-start', id }]
    isOpen = true
    return [...start, { type: 'text-delta', id, delta: text }]
  }

  /** The text up to what may be a call. */
  const pass = (isLast: boolean): string => {
    let shown = ''
    while (held !== '') {
      // A fence may begin or end here.
      if (!isInLine && !isLast && /^\s{0,9}(?:`{1,2}|~{1,2})$/.test(held)) break
      if (!isInLine) {
        const start = isInFence ? undefined : startOfCall(held, names, isLast)
        const isShort = lead.trim().length <= longestLead && !lead.includes('](')
        const isData = start === 'data' && isShort && (isLast || !goesOn(held))
        if ((start === 'sign' || isData) && held.length <= longestHeld) break
        if (start === 'begun') break
        isInLine = true
        if (/^[ \t]{0,9}(?:```|~~~)/.test(held)) isInFence = !isInFence
      }
      const end = held.indexOf('\n') + 1
      const line = end === 0 ? held : held.slice(0, end)
      shown += line
      held = held.slice(line.length)
      isInLine = end === 0
    }
    lead = (lead + shown).slice(0, longestLead * 2)
    return shown
  }

  const finish = (): Part[] => {
    const textBefore = show(pass(true))
    const start = startOfCall(held, names, true)
    const writtenCalls = held === '' ? [] : parseCalls(held, names)
    const isCall = writtenCalls.length > 0 && (start === 'sign' || isAlone(held))
    const known = isCall ? writtenCalls.filter(({ name }) => names.includes(name)) : []
    const rest = isCall && (start === 'sign' || known.length > 0) ? [] : show(held)
    held = ''
    const end: Part[] = isOpen && id !== undefined ? [{ type: 'text-end', id }] : []
    isOpen = false
    id = undefined
    isInLine = false
    return [...textBefore, ...rest, ...end, ...(offered.length === 0 ? [] : known.flatMap(partsOf))]
  }

  const partsOf = ({ name: toolName, input }: WrittenCall): Part[] => {
    const toolCallId = `written_${++calls}`
    const text = JSON.stringify(input)
    return [
      { type: 'tool-input-start', id: toolCallId, toolName },
      { type: 'tool-input-delta', id: toolCallId, delta: text },
      { type: 'tool-input-end', id: toolCallId },
      { type: 'tool-call', toolCallId, toolName, input: text },
    ]
  }

  return (part) => {
    if (part.type === 'text-start') {
      id = part.id
      return []
    }
    if (part.type === 'text-delta') {
      held += part.delta
      return show(pass(false))
    }
    if (part.type === 'text-end') return finish()
    if (part.type !== 'finish') return [part]
    const left = finish()
    if (calls === 0) return [...left, part]
    return [...left, { ...part, finishReason: { ...part.finishReason, unified: 'tool-calls' } }]
  }
}

/** Whether text has come behind a fence. */
function goesOn(text: string): boolean {
  return /^\s*```[^`]*```\s*[^\s`]/.test(text)
}

/** Whether nothing stands behind the data, which an answer about it would explain. */
function isAlone(text: string): boolean {
  const plain = text.trim()
  return plain.startsWith('```') ? /^```[^`]*(?:```)?$/.test(plain) : /[}\])]$/.test(plain)
}
