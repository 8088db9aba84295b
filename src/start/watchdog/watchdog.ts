import { readFile, rename, rm } from 'node:fs/promises'
import { url as inspectorUrl } from 'node:inspector'
import { Worker } from 'node:worker_threads'

/** The data of the watching thread. */
export interface WatchdogTask {
  /** A count of beats, whether a debugger may stop the main thread, and the names of the work under way. */
  shared: SharedArrayBuffer
  seconds: number
  /** The file that keeps the names of the work under way, a line each, for the next start. */
  file: string
}

export interface Watchdog extends Disposable {
  /** Runs `work` under a name, which is reported if the process is ended meanwhile. */
  during<T>(name: string, work: () => Promise<T>): Promise<T>
  /** The work that began last, where there are too many names to keep. */
  note(name: string): void
}

const beat = 250
const [latestBytes, listBytes] = [512, 4096]
const latestAt = 8
const listAt = latestAt + latestBytes

/**
 * Ends this process when its main thread stands still for this long, because it then answers no request and does no
 * work. The supervisor starts a new process, which counts the end for the turns that were under way
 * (`takeStopped`).
 */
export function startWatchdog(seconds: number, file: string): Watchdog {
  if (seconds === 0) return { during: (_name, work) => work(), note: () => {}, [Symbol.dispose]: () => {} }
  const shared = new SharedArrayBuffer(listAt + listBytes)
  const beats = new Int32Array(shared, 0, 2)
  const timer = setInterval(() => {
    Atomics.store(beats, 1, inspectorUrl() === undefined ? 0 : 1)
    Atomics.add(beats, 0, 1)
  }, beat).unref()
  const worker = new Worker(new URL('watchdog.worker.ts', import.meta.url), {
    workerData: { shared, seconds, file } satisfies WatchdogTask,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  })
  worker.unref()
  const names = new Map<symbol, string>()
  const write = (): void => writeText(shared, listAt, listBytes, [...names.values()].join('\n'))
  return {
    async during(name, work) {
      const one = Symbol()
      names.set(one, name)
      write()
      try {
        return await work()
      } finally {
        names.delete(one)
        write()
      }
    },
    note: (name) => writeText(shared, latestAt, latestBytes, name),
    [Symbol.dispose]: () => {
      clearInterval(timer)
      void worker.terminate()
    },
  }
}

/** The names of the work under way when a watchdog ended a process on this data folder. Each end is reported once. */
export async function takeStopped(file: string): Promise<string[]> {
  const taken = `${file}.${process.pid}`
  try {
    await rename(file, taken)
  } catch {
    return []
  }
  const names = await readFile(taken, 'utf8')
  await rm(taken, { force: true })
  return names.split('\n').filter((name) => name !== '')
}

/** The names that the main thread had noted, in the order in which the work began. */
export function readUnderWay(shared: SharedArrayBuffer): string[] {
  const latest = readText(shared, latestAt, latestBytes)
  const list = readText(shared, listAt, listBytes).split('\n')
  return [...list, latest && `after ${latest}`].filter((name) => name !== '')
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

function writeText(shared: SharedArrayBuffer, at: number, bytes: number, text: string): void {
  const place = new Uint8Array(shared, at, bytes)
  const { written } = encoder.encodeInto(text.slice(0, bytes), place)
  if (written < bytes) place[written] = 0
}

function readText(shared: SharedArrayBuffer, at: number, bytes: number): string {
  const copy = new Uint8Array(shared.slice(at, at + bytes))
  const end = copy.indexOf(0)
  return decoder.decode(end === -1 ? copy : copy.subarray(0, end))
}
