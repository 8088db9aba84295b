import type { UIMessageChunk } from 'ai'
import { downgradeFrame } from './downgrade-frames.ts'
import type { Frame } from './downgrade-frames.ts'
import { createLinkGuard } from './links/guard.ts'
import type { Guarded, LinkGuard } from './links/guard.ts'
import type { ResolveLink, SafeLink } from './links/inline.ts'

/** Turns a model's chunks into frames for clients: links guarded, every cited source ahead of the text that cites it. */
export interface Reply {
  take(chunk: UIMessageChunk): Promise<Frame[]>
  /** A text of our own. */
  say(text: string): Promise<Frame[]>
  /** Ends texts that the model left open. */
  close(): Promise<Frame[]>
  /** What was said so far, in all parts. */
  text(): string
  /** Whether the step under way, or the last one, said anything. */
  spoke(): boolean
  sources(): SafeLink[]
}

interface TextPart {
  guard: LinkGuard
  started: boolean
}

export function createReply(resolve: ResolveLink): Reply {
  const open = new Map<string, TextPart>()
  const sources = new Map<string, SafeLink>()
  let said = ''
  let spoke = false

  const show = (id: string, part: TextPart, { text, links }: Guarded): Frame[] => {
    const frames: Frame[] = []
    for (const link of links) {
      if (sources.has(link.url)) continue
      sources.set(link.url, link)
      const sourceId = `source-${sources.size}`
      frames.push({ type: 'source-url', sourceId, url: link.url, title: link.title })
    }
    if (text === '') return frames
    // A part is begun by its first text: an empty one would show as an empty bubble.
    if (!part.started) {
      frames.push({ type: 'text-start', id })
      if (said !== '') said += '\n\n'
      part.started = true
    }
    said += text
    spoke ||= text.trim() !== ''
    return [...frames, { type: 'text-delta', id, delta: text }]
  }

  const finish = async (id: string): Promise<Frame[]> => {
    const part = open.get(id)
    if (!part) return []
    open.delete(id)
    const frames = show(id, part, await part.guard.end())
    return part.started ? [...frames, { type: 'text-end', id }] : frames
  }

  const begin = (id: string): TextPart => {
    const part = { guard: createLinkGuard(resolve), started: false }
    open.set(id, part)
    return part
  }

  const close = async (): Promise<Frame[]> => {
    const frames: Frame[] = []
    for (const id of open.keys()) frames.push(...(await finish(id)))
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
          return show(chunk.id, part, await part.guard.write(chunk.delta))
        }
        case 'text-end':
          return finish(chunk.id)
        case 'start-step':
          spoke = false
          return downgradeFrame(chunk)
        case 'finish-step':
          return [...(await close()), ...downgradeFrame(chunk)]
        // Sources are ours to name.
        case 'source-url':
        case 'source-document':
        case 'file':
          return []
        default:
          return downgradeFrame(chunk)
      }
    },
    async say(text) {
      const id = 'docwright'
      const part = begin(id)
      return [...show(id, part, await part.guard.write(text)), ...(await finish(id))]
    },
    close,
    text: () => said,
    spoke: () => spoke,
    sources: () => [...sources.values()],
  }
}
