import { Worker } from 'node:worker_threads'
import type { MdxError } from './explain-mdx.ts'
import type { DataReport } from './read-data.ts'
import type { ParseCode } from '../policy/active-parts.ts'
import type { Range } from '../policy/code-ranges.ts'

export type TextTask =
  | { kind: 'mdx'; source: string }
  | { kind: 'data'; path: string; text: string }
  | { kind: 'code'; text: string; dialect: 'markdown' | 'mdx' }

export type TextAnswer =
  | { kind: 'mdx'; error: MdxError | undefined }
  | { kind: 'data'; report: DataReport }
  | { kind: 'code'; ranges: Range[] | undefined }

export interface TextWorker {
  compileMdx: (source: string, signal?: AbortSignal) => Promise<MdxError | 'late' | undefined>
  readData: (file: { path: string; text: string }, signal?: AbortSignal) => Promise<DataReport | 'late'>
  parseCode: ParseCode
}

const idle = 60_000
const starting = 60_000

/**
 * Compiles and parses one text after the other in a thread: a page can keep a compiler busy for minutes when it wants
 * to. `late` is the answer for what takes longer than that or breaks the thread.
 * @param deadline milliseconds for one text
 */
export function createTextWorker(deadline = 10_000): TextWorker {
  let worker: { thread: Worker; ready: Promise<unknown> } | undefined
  let last: Promise<unknown> = Promise.resolve()
  let rest: NodeJS.Timeout | undefined

  const start = () => {
    const thread = new Worker(new URL('read-text.worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    const started = { thread, ready: answerOf(thread, starting) }
    // One that fails while nobody waits for it is only replaced.
    thread.on('error', () => {
      if (worker === started) worker = undefined
    })
    return started
  }
  const stop = (): void => {
    void worker?.thread.terminate()
    worker = undefined
  }
  const read = async (task: TextTask): Promise<TextAnswer | undefined> => {
    clearTimeout(rest)
    const { thread, ready } = (worker ??= start())
    thread.ref()
    // Its start is no fault of the text.
    let answer: unknown = await ready
    if (answer !== undefined) {
      const next = answerOf(thread, deadline)
      thread.postMessage(task)
      answer = await next
    }
    if (answer === undefined) stop()
    thread.unref()
    rest = setTimeout(stop, idle).unref()
    return answer as TextAnswer | undefined
  }
  const ask = (task: TextTask, signal?: AbortSignal): Promise<TextAnswer | undefined> => {
    const next = last.then(() => {
      signal?.throwIfAborted()
      return read(task)
    })
    last = next.catch(() => {})
    return signal === undefined ? next : untilAborted(next, signal)
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
    parseCode: async (text, dialect) => {
      const answer = await ask({ kind: 'code', text, dialect })
      return answer?.kind === 'code' ? answer.ranges : 'late'
    },
  }
}

/** The next message of a thread; undefined when it ends before, or does not come in time. */
function answerOf(thread: Worker, milliseconds: number): Promise<unknown> {
  return new Promise((resolve) => {
    const end = (answer: unknown): void => {
      clearTimeout(timer)
      thread.off('message', end).off('messageerror', fail).off('error', fail).off('exit', fail)
      resolve(answer)
    }
    const fail = (): void => end(undefined)
    const timer = setTimeout(fail, milliseconds)
    thread.on('message', end).on('messageerror', fail).on('error', fail).on('exit', fail)
  })
}

/** Nobody who was told to stop waits for what the thread is busy with. */
function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
