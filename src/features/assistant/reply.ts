import type { UIMessageChunk } from 'ai'
import { downgradeFrame, type Frame } from './streams/downgrade-frames.ts'
import { createLinkGuard, type Guarded, type LinkGuard } from './links/guard.ts'
import type { ResolveLink, ResolveNumber, SafeLink } from './links/inline.ts'
import { createMarkReader, type MarkReader } from './outcome-mark.ts'
import type { ReplyMark } from './outcome.ts'

/** Turns a model's chunks into frames for clients: links guarded, every cited source ahead of the text that cites it. */
export interface Reply {
  take(chunk: UIMessageChunk): Promise<Frame[]>
  /** Adds a text of the assistant itself, as a step of its own. */
  say(text: string): Promise<Frame[]>
  /** Ends the texts, calls and step that the model left open. */
  close(): Promise<Frame[]>
  /** What was said so far, in all parts. */
  text(): string
  /** Whether the step under way, or the last one, said anything. */
  spoke(): boolean
  sources(): SafeLink[]
  /** The last mark of the model, which is not shown. */
  mark(): ReplyMark | undefined
  /** What that mark names as missing. */
  missing(): string[]
}

interface TextPart {
  marks: MarkReader
  guard: LinkGuard
  started: boolean
}

/** @param onText called whenever something is said */
export function createReply(resolve: ResolveLink, onText?: () => void, numbered?: ResolveNumber): Reply {
  const open = new Map<string, TextPart>()
  const sources = new Map<string, SafeLink>()
  const calls = createToolCalls()
  let said = ''
  let mark: ReplyMark | undefined
  let missing: string[] = []
  let spoke = false
  let inStep = false

  const show = (id: string, part: TextPart, { text, links }: Guarded): Frame[] => {
    const frames: Frame[] = []
    for (const link of links) {
      if (sources.has(link.url)) continue
      sources.set(link.url, link)
      const sourceId = `source-${sources.size}`
      frames.push({ type: 'source-url', sourceId, url: link.url, title: link.title })
    }
    if (text === '') return frames
    // A part begins with its first text, because clients show an empty one as an empty bubble.
    if (!part.started) {
      frames.push({ type: 'text-start', id })
      if (said !== '') said += '\n\n'
      part.started = true
    }
    said += text
    onText?.()
    spoke ||= text.trim() !== ''
    return [...frames, { type: 'text-delta', id, delta: text }]
  }

  const write = async (id: string, part: TextPart, text: string): Promise<Frame[]> =>
    show(id, part, await part.guard.write(text))

  const finish = async (id: string): Promise<Frame[]> => {
    const part = open.get(id)
    if (!part) return []
    open.delete(id)
    const held = await write(id, part, part.marks.end())
    if (part.marks.mark() !== undefined) [mark, missing] = [part.marks.mark(), part.marks.missing()]
    const frames = [...held, ...show(id, part, await part.guard.end())]
    return part.started ? [...frames, { type: 'text-end', id }] : frames
  }

  const begin = (id: string): TextPart => {
    const part = { marks: createMarkReader(), guard: createLinkGuard(resolve, numbered), started: false }
    open.set(id, part)
    return part
  }

  const closeTexts = async (): Promise<Frame[]> => {
    const frames: Frame[] = []
    for (const id of open.keys()) frames.push(...(await finish(id)))
    return frames
  }

  const startStep = (): Frame[] => {
    spoke = false
    inStep = true
    return [{ type: 'start-step' }]
  }

  const close = async (): Promise<Frame[]> => {
    const frames = [...(await closeTexts()), ...calls.close()]
    if (inStep) frames.push({ type: 'finish-step' })
    inStep = false
    return frames
  }

  return {
    async take(chunk) {
      switch (chunk.type) {
        case 'text-start':
          begin(chunk.id)
          return []
        case 'text-delta': {
          const part = open.get(chunk.id) ?? begin(chunk.id)
          return write(chunk.id, part, part.marks.write(chunk.delta))
        }
        case 'text-end':
          return finish(chunk.id)
        case 'start-step':
          return startStep()
        case 'finish-step':
          return close()
        // Only the link guard names sources.
        case 'source-url':
        case 'source-document':
        case 'file':
          return []
        default:
          return downgradeFrame(chunk).flatMap((frame) => calls.take(frame))
      }
    },
    async say(text) {
      const id = 'docwright'
      const frames = [...(await close()), ...startStep()]
      const part = begin(id)
      return [...frames, ...(await write(id, part, text)), ...(await close())]
    },
    close,
    text: () => said,
    spoke: () => spoke,
    sources: () => [...sources.values()],
    mark: () => mark,
    missing: () => missing,
  }
}

/** Gives the calls of a reply distinct ids, and makes sure that each of them ends. */
interface ToolCalls {
  /** The frames to send for a frame of a call. Other frames pass unchanged. */
  take(frame: Frame): Frame[]
  /** Ends the calls that are still open. */
  close(): Frame[]
}

interface Call {
  id: string
  toolName: unknown
  /** Whether the client has its input. */
  made: boolean
}

function createToolCalls(): ToolCalls {
  const open = new Map<unknown, Call>()
  const used = new Set<string>()

  // Some servers number calls from the beginning in every step. Clients would take them for one call.
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
