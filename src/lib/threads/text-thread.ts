import { Worker } from 'node:worker_threads'
import { unlessAborted } from '../unless-aborted.ts'
import {
  countNotes,
  createNote,
  describe,
  readNote,
  restore,
  writeNote,
  type OwnerMessage,
  type ThreadContract,
  type ThreadMessage,
} from './thread-messages.ts'

/** Why a thread gave no answer: it took too long, ran out of memory, or ended. */
type FailureReason = 'late' | 'memory' | 'crash'

/** The thread failed on a text. It is replaced, and the next task gets a new one. */
export class ThreadFailure extends Error {
  readonly reason: FailureReason
  /** The name of what was read at that time, as the thread gave it; undefined when it gave none. */
  readonly text: string | undefined

  constructor(reason: FailureReason, text: string | undefined) {
    const what = { late: 'took too long', memory: 'needed too much memory', crash: 'broke its thread' }
    super(`Reading ${text ?? 'a text'} ${what[reason]}`)
    this.name = 'ThreadFailure'
    this.reason = reason
    this.text = text
  }
}

export interface ThreadOptions {
  /** Milliseconds that the thread may work on one text; every name that it gives begins another one. */
  deadline: number
  /** MiB of JavaScript heap. */
  memory: number
  /** Milliseconds without a task after which the thread ends; the next task starts another. */
  idle?: number
}

interface TaskOptions<Contract extends ThreadContract> {
  /** Ends the wait. Tasks that have not begun are dropped, a task that runs goes on. */
  signal?: AbortSignal | undefined
  /** Milliseconds of the whole task, however many texts it has; without one there is no such limit. */
  total?: number
  /** Answers what the thread asks for on the way. Its time does not count as the thread's. */
  answer?: (request: Contract['request']) => Promise<Contract['reply']>
}

/** Reads texts of strangers outside the main thread: one task after the other, each in bounded time. */
export interface TextThread<Contract extends ThreadContract> {
  /** @throws ThreadFailure, the reason of `signal`, or what the task itself threw */
  run(task: Contract['task'], options?: TaskOptions<Contract>): Promise<Contract['answer']>
  /** Tasks that wait or run. */
  readonly load: number
  /** Ends the thread; a task that runs fails. */
  stop(): void
}

const startDeadline = 60_000
/** Milliseconds between looks at the clock, so that a process that stood still is not mistaken for a slow text. */
const ticks = 20
/** The smallest share of wall time that counts, so that a thread that only sleeps is late as well. */
const slowest = 1 / 6

interface Started {
  worker: Worker
  /** The shared memory in which the thread names what it reads. */
  note: SharedArrayBuffer
  ready: Promise<void>
}

/** @param module the worker's file, which calls `answerTasks` */
export function createTextThread<Contract extends ThreadContract>(
  module: URL,
  { deadline, memory, idle = 60_000 }: ThreadOptions,
): TextThread<Contract> {
  let started: Started | undefined
  let last: Promise<unknown> = Promise.resolve()
  let rest: NodeJS.Timeout | undefined
  let load = 0

  const stop = (): void => {
    clearTimeout(rest)
    void started?.worker.terminate()
    started = undefined
  }
  const start = (): Started => {
    const note = createNote()
    const worker = new Worker(module, {
      workerData: note,
      // A large young generation could fill the old one at once, past the point where Node can still end only the thread.
      resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 16 },
    })
    const own: Started = { worker, note, ready: messageOf(worker, startDeadline) }
    own.ready.catch(() => {})
    // A thread that fails while nothing waits for it is only replaced. Without a listener its error would end the
    // process.
    worker.on('error', () => {
      if (started === own) started = undefined
    })
    return own
  }
  const work = async (
    task: Contract['task'],
    options: TaskOptions<Contract>,
  ): Promise<Contract['answer']> => {
    clearTimeout(rest)
    const { worker, note, ready } = (started ??= start())
    worker.ref()
    try {
      await ready
      return await answerOf({ worker, note }, task, deadline, options)
    } catch (error) {
      if (error instanceof ThreadFailure) stop()
      throw error
    } finally {
      worker.unref()
      if (started !== undefined) rest = setTimeout(stop, idle).unref()
    }
  }
  return {
    run(task, options = {}) {
      const { signal } = options
      load++
      const result = last
        .then(() => {
          signal?.throwIfAborted()
          return work(task, options)
        })
        .finally(() => load--)
      last = result.catch(() => {})
      return signal === undefined ? result : unlessAborted(signal, () => result)
    },
    get load() {
      return load
    },
    stop,
  }
}

function answerOf<Contract extends ThreadContract>(
  { worker, note }: Pick<Started, 'worker' | 'note'>,
  task: Contract['task'],
  deadline: number,
  { total = Infinity, answer }: TaskOptions<Contract>,
): Promise<Contract['answer']> {
  return new Promise((resolve, reject) => {
    writeNote(note, undefined)
    let notes = countNotes(note)
    let left = deadline
    let leftOfAll = total
    let asked = 0
    let refused: unknown
    const step = Math.max(1, Math.round(deadline / ticks))
    let before = process.cpuUsage()
    const clock = setInterval(() => {
      const { user, system } = process.cpuUsage(before)
      before = process.cpuUsage()
      if (asked > 0) return
      if (notes !== countNotes(note)) left = deadline
      notes = countNotes(note)
      // Time in which other programs have the processor does not count.
      const passed = Math.max(step * slowest, Math.min(step, (user + system) / 1000))
      left -= passed
      leftOfAll -= passed
      if (left <= 0 || leftOfAll <= 0) fail('late')
    }, step)
    const end = (): void => {
      clearInterval(clock)
      worker.off('message', take).off('messageerror', crash).off('error', crash).off('exit', crash)
    }
    const fail = (reason: FailureReason): void => {
      end()
      reject(new ThreadFailure(reason, readNote(note)))
    }
    const crash = (error: unknown): void => fail(isOutOfMemory(error) ? 'memory' : 'crash')
    const take = (message: ThreadMessage): void => {
      left = deadline
      if (message.kind === 'ask') {
        asked++
        const reply = answer?.(message.request) ?? Promise.reject(new Error('No one answers'))
        reply
          .then(
            (value): OwnerMessage => ({ kind: 'reply', id: message.id, value }),
            (error: unknown): OwnerMessage => {
              refused = error
              return { kind: 'refusal', id: message.id, error: describe(error) }
            },
          )
          .then((said) => {
            asked--
            left = deadline
            worker.postMessage(said)
          })
          .catch(crash)
      } else {
        end()
        if (message.kind === 'answer') resolve(message.answer)
        // The task may have failed because a request of it was refused. That error is kept here, with its class and
        // cause.
        else if (message.error.message === describe(refused).message) reject(refused)
        else reject(restore(message.error))
      }
    }
    worker.on('message', take).on('messageerror', crash).on('error', crash).on('exit', crash)
    try {
      worker.postMessage({ kind: 'task', task } satisfies OwnerMessage)
    } catch (error) {
      end()
      reject(error)
    }
  })
}

/** The next message of a thread that starts. @throws ThreadFailure when none comes */
function messageOf(worker: Worker, milliseconds: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer)
      worker.off('message', come).off('error', fail).off('exit', fail)
    }
    const come = (): void => {
      end()
      resolve()
    }
    const fail = (): void => {
      end()
      reject(new ThreadFailure('crash', undefined))
    }
    const timer = setTimeout(fail, milliseconds)
    worker.on('message', come).on('error', fail).on('exit', fail)
  })
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
