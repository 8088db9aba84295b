import { Worker } from 'node:worker_threads'
import type { MdxError } from './explain-mdx.ts'
import type { DataReport } from './read-data.ts'

export type TextTask = { kind: 'mdx'; source: string } | { kind: 'data'; path: string; text: string }

export type TextAnswer = { kind: 'mdx'; error: MdxError | undefined } | { kind: 'data'; report: DataReport }

export interface TextWorker {
  compileMdx: (source: string, signal?: AbortSignal) => Promise<MdxError | 'late' | undefined>
  readData: (file: { path: string; text: string }, signal?: AbortSignal) => Promise<DataReport | 'late'>
}

const idle = 60_000

/**
 * Compiles and parses one text after the other in a thread: a page can keep a compiler busy for minutes when it wants
 * to. `late` is the answer for what takes longer than that or breaks the thread.
 * @param deadline milliseconds for one text
 */
export function createTextWorker(deadline = 10_000): TextWorker {
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()
  let rest: NodeJS.Timeout | undefined

  const start = (): Worker => {
    const started = new Worker(new URL('read-text.worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 512 },
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
  const read = (task: TextTask): Promise<TextAnswer | undefined> => {
    clearTimeout(rest)
    const current = (worker ??= start())
    return new Promise((resolve) => {
      const end = (answer: TextAnswer | undefined): void => {
        clearTimeout(timer)
        current.off('message', end).off('messageerror', fail).off('error', fail).off('exit', fail)
        current.unref()
        rest = setTimeout(stop, idle).unref()
        resolve(answer)
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
  const ask = (task: TextTask, signal?: AbortSignal): Promise<TextAnswer | undefined> => {
    const next = last.then(() => {
      signal?.throwIfAborted()
      return read(task)
    })
    last = next.catch(() => {})
    return next
  }
  return {
    compileMdx: async (source, signal) => {
      const answer = await ask({ kind: 'mdx', source }, signal)
      return answer?.kind === 'mdx' ? answer.error : 'late'
    },
    readData: async ({ path, text }, signal) => {
      const answer = await ask({ kind: 'data', path, text }, signal)
      return answer?.kind === 'data' ? answer.report : 'late'
    },
  }
}
