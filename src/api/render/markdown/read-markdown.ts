import { endingSignal } from '../../../lib/ending-signal.ts'
import { createFairQueue } from '../../../lib/fair-queue.ts'
import { sha256 } from '../../../lib/ids.ts'
import { keepNewest } from '../../../lib/keep-newest.ts'
import { createTextThread, ThreadFailure, type TextThread } from '../../../lib/threads/text-thread.ts'
import type { Printed, ShownAddresses, WrittenAddresses } from './print-markdown.ts'

interface MarkdownTask {
  markdown: string
  /** Whether tags and braces are JSX. */
  mdx: boolean
  /** Keep images, for a caller that knows where they are; otherwise they become their alternative text. */
  images?: boolean | undefined
  /** The text is that of a page, with its front matter. */
  isPage?: boolean | undefined
  printed: Printed
}

/** What a thread says that it reads while it colours code. */
export const readingColours = 'colours'

export interface MarkdownThread {
  /** `coloured`: whether blocks of code have the colours of their language. */
  task: MarkdownTask & { coloured: boolean }
  answer: string | undefined
  request: WrittenAddresses
  reply: ShownAddresses
}

/**
 * Prints Markdown as HTML of safe elements. Undefined when the text is too large or takes too long, or when too many
 * texts are waiting.
 */
export type ReadMarkdown = (
  task: MarkdownTask & {
    projectId: string
    /** File of the page, below which its addresses are meant. */
    path?: string
    /** Finds what the addresses of a page lead to. */
    showAddresses?: (written: WrittenAddresses) => Promise<ShownAddresses>
  },
) => Promise<string | undefined>

/** Characters. */
const maximumLength = 500_000
const module = new URL('markdown.worker.ts', import.meta.url)
/** Milliseconds during which a text that took too long is not tried again. */
const rest = 600_000
const remembered = 1000

/**
 * Parses and prints texts in threads: a malicious page of 200 KB can keep the parser busy for minutes, printing a large
 * table takes a second, and other requests must not wait for it. Projects take turns, and none can use all threads. Requests for the same text share one result.
 * @param deadline milliseconds for one text
 * @param patience milliseconds that a text waits for its turn
 * @param threads texts that are read at once
 */
export function createMarkdownReader(deadline = 3000, patience = 10_000, threads = 2): ReadMarkdown {
  const queue = createFairQueue({ atOnce: threads, each: 1, waiting: { each: 8_000_000, all: 64_000_000 } })
  const newThread = (): TextThread<MarkdownThread> => createTextThread(module, { deadline, memory: 256 })
  // The first thread is preferred, so that others are only started when they are needed.
  const idle = Array.from({ length: threads }, newThread)
  const underWay = new Map<string, Promise<string | undefined>>()
  const tooMuch = new Map<string, number>()

  const read = async (
    id: string,
    projectId: string,
    task: MarkdownTask,
    answer: (written: WrittenAddresses) => Promise<ShownAddresses>,
  ): Promise<string | undefined> => {
    using waiting = endingSignal({ milliseconds: patience })
    const leave = await queue.enter(projectId, task.markdown.length, waiting.signal).catch(() => undefined)
    const thread = leave && idle.shift()
    if (!thread) return undefined
    try {
      return await thread.run({ ...task, coloured: true }, { answer }).catch((error: unknown) => {
        // A page is shown without colours rather than not at all.
        if (error instanceof ThreadFailure && error.text === readingColours)
          return thread.run({ ...task, coloured: false }, { answer })
        throw error
      })
    } catch (error) {
      if (!(error instanceof ThreadFailure)) throw error
      keepNewest(tooMuch, remembered, id, Date.now() + rest)
      return undefined
    } finally {
      idle.unshift(thread)
      leave()
    }
  }
  return async ({ projectId, path, showAddresses = noAddresses, ...task }) => {
    const { markdown, ...how } = task
    if (markdown.length > maximumLength) return undefined
    // Links of a page are those of its project and its place.
    const place = how.printed.form === 'page' || how.printed.form === 'parts' ? [projectId, path] : []
    const id = sha256(JSON.stringify([how, place, markdown]))
    if ((tooMuch.get(id) ?? 0) > Date.now()) return undefined
    tooMuch.delete(id)
    let reading = underWay.get(id)
    if (!reading) {
      reading = read(id, projectId, task, showAddresses).finally(() => underWay.delete(id))
      underWay.set(id, reading)
    }
    return reading
  }
}

function noAddresses({ images, links }: WrittenAddresses): Promise<ShownAddresses> {
  return Promise.resolve({ images: images.map(() => null), links: links.map(() => null) })
}
