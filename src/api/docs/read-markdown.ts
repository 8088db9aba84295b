import { Worker } from 'node:worker_threads'
import type { Tree } from './tree.ts'

export interface MarkdownTask {
  markdown: string
  /** Tags and braces are JSX. */
  mdx: boolean
}

/** Markdown as a tree of safe elements; undefined for what is too large or takes too long to read. */
export type ReadMarkdown = (task: MarkdownTask) => Promise<Tree | undefined>

/** Characters. */
const maximumLength = 500_000
const idle = 60_000

/**
 * Reads one text after the other in a worker thread: a page of 200 KB can keep the parser busy for minutes when it
 * wants to, and no other request may wait for that.
 * @param deadline milliseconds for one text
 */
export function createMarkdownReader(deadline = 5000): ReadMarkdown {
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()
  let rest: NodeJS.Timeout | undefined

  const start = (): Worker => {
    const started = new Worker(new URL('markdown.worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    // One that fails while nobody waits for it is only replaced.
    return started.on('error', () => {
      if (worker === started) worker = undefined
    })
  }
  const stop = (): void => {
    void worker?.terminate()
    worker = undefined
  }
  const read = (task: MarkdownTask): Promise<Tree | undefined> => {
    clearTimeout(rest)
    const current = (worker ??= start())
    return new Promise((resolve) => {
      const end = (tree: Tree | undefined): void => {
        clearTimeout(timer)
        current.off('message', end).off('messageerror', fail).off('error', fail).off('exit', fail)
        current.unref()
        rest = setTimeout(stop, idle).unref()
        resolve(tree)
      }
      const fail = (): void => {
        stop()
        end(undefined)
      }
      const timer = setTimeout(fail, deadline)
      current.ref()
      current.on('message', end).on('messageerror', fail).on('error', fail).on('exit', fail)
      current.postMessage(task)
    })
  }
  return (task) => {
    if (task.markdown.length > maximumLength) return Promise.resolve(undefined)
    const next = last.then(() => read(task))
    last = next
    return next
  }
}
