import { readFile, rename, rm } from 'node:fs/promises'
import { url as inspectorUrl } from 'node:inspector'
import { Worker } from 'node:worker_threads'

/** What the watching thread is given. */
export interface WatchdogTask {
  /** A count of beats, whether a debugger may hold the main thread up, and a text of what is under way. */
  shared: SharedArrayBuffer
  seconds: number
  /** Where it leaves the names of what was under way, a line each, for the next start. */
  file: string
}

export interface Watchdog extends Disposable {
  /** Does `work` under a name, for the line that tells what the process ended of. */
  during<T>(name: string, work: () => Promise<T>): Promise<T>
  /** The latest thing that was begun, where there are too many to keep. */
  note(name: string): void
}

const beat = 250
const [latestBytes, listBytes] = [512, 4096]
const latestAt = 8
const listAt = latestAt + latestBytes

/**
 * Ends this process when its main thread stands still for so long: it answers nobody and works on nothing, and whatever
 * starts processes here starts a new one, which counts the end for the turns that were under way (`takeStopped`).
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

/** Names of what was under way when a watchdog ended a process on this data folder; each end is told once. */
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

/** What the main thread had noted, the latest beginning last. */
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
