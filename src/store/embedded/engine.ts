import { MessageChannel, Worker } from 'node:worker_threads'
import { Mutex, messages, parse, protocol, types, type PGlite } from '@electric-sql/pglite'
import { AppError, messageOf } from '../../lib/errors.ts'
import { StoreTrouble } from '../store-trouble.ts'
import type { StoreWatch } from '../store-watch.ts'
import {
  isCrash,
  largestCopied,
  type EngineReply,
  type EngineRequest,
  type EngineStart,
  type EngineTask,
} from './engine-messages.ts'
import { createWaits, type Waits } from './waits.ts'

export type Answers = Awaited<ReturnType<PGlite['execProtocolStream']>>

/** The embedded database, which works in a thread of its own. It is one session, as one connection to a server is. */
export interface Engine {
  /**
   * Sends messages of PostgreSQL's protocol.
   * @throws the first error that the database answers, with its fields, or StoreTrouble
   */
  send(...parts: Uint8Array[]): Promise<Answers>
  /** Runs any number of statements without parameters, outside of transactions. @returns the rows of all of them */
  run(text: string): Promise<object[]>
  /** Whoever holds it is alone with the session. */
  readonly session: Mutex
  /** Whoever holds it is the only one that prepares and runs a statement. */
  readonly statement: Mutex
  /** @returns what ends it */
  listen(channel: string, hear: (payload: string) => void): Promise<() => Promise<void>>
  readonly serializers: Readonly<Record<number, types.Serializer>>
  readonly parsers: Readonly<Record<number, types.Parser>>
  /** How long the holders of the session have waited for it. */
  readonly waits: Waits
  /** Aborts when the thread has ended or can never be used again. */
  readonly broken: AbortSignal
  /** The files of the database, as a compressed archive. */
  dump(): Promise<Uint8Array>
  /** Copies the files as they are at one moment. Whatever opens them finds all transactions that were committed. */
  copy(to: string): Promise<void>
  /** Ends the thread, once the statements before have ended. */
  close(): Promise<void>
}

/** The thread, as its owner sees it. */
export interface EngineThread extends Pick<Worker, 'ref' | 'unref' | 'terminate'> {
  on(event: 'message', hear: (reply: EngineReply) => void): unknown
  on(event: 'error', hear: (error: unknown) => void): unknown
  on(event: 'exit', hear: () => void): unknown
  postMessage(request: EngineRequest, moved: ArrayBuffer[]): void
}

/**
 * Minutes without an answer after which the thread is given up. Changes of large tables take a long time, and the server
 * goes on meanwhile.
 */
const longestStatement = 10
const minute = 60_000
const int8 = 20

/** Starts the thread, and opens the store in `folder`. @throws what kept it from opening */
export async function openEngine(task: EngineTask, watch: StoreWatch): Promise<Engine> {
  const { port1, port2 } = new MessageChannel()
  const count = new SharedArrayBuffer(4)
  const counts = new Int32Array(count)
  const worker = new Worker(new URL('engine.worker.ts', import.meta.url), {
    workerData: { ...task, port: port2, count } satisfies EngineStart,
    transferList: [port2],
    // It mostly moves bytes.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  })
  worker.on('exit', () => port1.close())
  const thread = Object.assign(worker, {
    postMessage(request: EngineRequest, moved: ArrayBuffer[]) {
      port1.postMessage(request, moved)
      Atomics.add(counts, 0, 1)
      Atomics.notify(counts, 0)
    },
  })
  return createEngine(thread, watch)
}

interface Waiting {
  resolve(reply: Uint8Array): void
  reject(error: unknown): void
}

/** @param thread answers each request, in their order, and says first that it is open */
export async function createEngine(thread: EngineThread, watch: StoreWatch): Promise<Engine> {
  const [session, statement] = [new Mutex(), new Mutex()]
  const waits = createWaits()
  const waiting: Waiting[] = []
  const heard = new Map<string, Set<(payload: string) => void>>()
  const broken = new AbortController()
  let isClosed = false
  let ended: Promise<unknown> = Promise.resolve()
  let clock: NodeJS.Timeout | undefined
  let minutes = 0

  const giveUp = (cause: unknown): void => {
    if (broken.signal.aborted) return
    const reason = new AppError('unavailable', `The embedded database has crashed: ${messageOf(cause)}`, {
      cause,
    })
    if (!isClosed) {
      broken.abort(reason)
      ended = thread.terminate()
    }
    rest()
    for (const { reject } of waiting.splice(0)) reject(new StoreTrouble('away', reason))
  }
  const rest = (): void => {
    clearInterval(clock)
    clock = undefined
    thread.unref()
  }
  const ask = (request: EngineRequest): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new Error('PGlite is closed'))
      if (broken.signal.aborted) return reject(new StoreTrouble('away', broken.signal.reason))
      waiting.push({ resolve, reject })
      waitForIt()
      const isLarge = request instanceof Uint8Array && request.length > largestCopied
      thread.postMessage(request, isLarge ? [request.buffer as ArrayBuffer] : [])
    })
  // The process lives as long as somebody waits for an answer. Minutes are counted, so that one that stood still is no
  // reason to give up.
  const waitForIt = (): void => {
    if (clock !== undefined) return
    minutes = 0
    thread.ref()
    clock = setInterval(() => {
      if (++minutes > longestStatement) giveUp(new Error('It does not answer'))
    }, minute).unref()
  }
  thread.on('message', (reply: EngineReply) => {
    if (!(reply instanceof Uint8Array) && isCrash(reply.failed)) return giveUp(errorOf(reply.failed))
    minutes = 0
    const first = waiting.shift()
    if (waiting.length === 0) rest()
    if (reply instanceof Uint8Array) first?.resolve(reply)
    else first?.reject(errorOf(reply.failed))
  })
  thread.on('error', giveUp)
  thread.on('exit', () => giveUp(new Error('Its thread has ended')))

  const read = (reply: Uint8Array): Answers => {
    const answers: Answers = []
    let failure: messages.DatabaseError | undefined
    new protocol.Parser().parse(reply, (one) => {
      if (one instanceof messages.DatabaseError) failure ??= one
      else if (one instanceof messages.NotificationResponseMessage)
        for (const hear of heard.get(one.channel) ?? []) queueMicrotask(() => hear(one.payload))
      else answers.push(one)
    })
    if (failure === undefined) return answers
    if (failure.severity === 'PANIC' || failure.severity === 'FATAL') giveUp(failure)
    throw broken.signal.aborted ? new StoreTrouble('away', failure) : failure
  }
  const send: Engine['send'] = async (...parts) => {
    try {
      const answers = read(await ask(concat(parts)))
      watch.worked()
      return answers
    } catch (error) {
      throw watch.failed(error)
    }
  }
  const runHere = async (text: string): Promise<object[]> => {
    try {
      const answers = await send(protocol.serialize.query(text))
      return parse.parseResults(answers, parsers).flatMap(({ rows }) => rows)
    } catch (error) {
      // What failed may have begun a transaction.
      if (!broken.signal.aborted) await send(protocol.serialize.query('rollback'))
      throw error
    }
  }
  const run: Engine['run'] = (text) => session.runExclusive(() => runHere(text))

  const parsers: Record<number, types.Parser> = { ...types.parsers, [int8]: Number }
  const serializers: Record<number, types.Serializer> = { ...types.serializers }
  // Its first answer comes without a question.
  await new Promise<Uint8Array>((resolve, reject) => {
    waiting.push({ resolve, reject: (error) => reject(broken.signal.aborted ? broken.signal.reason : error) })
    waitForIt()
  }).catch(async (error: unknown) => {
    isClosed = true
    await thread.terminate()
    throw error
  })
  const ofArrays = await run(
    'select oid::int4 as of, typarray::int4 as list from pg_type where typarray <> 0 and typnamespace = 11',
  )
  for (const { of, list } of ofArrays as { of: number; list: number }[]) {
    const parser = parsers[of] ?? String
    parsers[list] = (text) => types.arrayParser(text, parser, list)
    serializers[list] = (values) => types.arraySerializer(values, serializers[of], list)
  }
  return {
    send,
    run,
    session,
    statement,
    async listen(channel, hear) {
      const name = `"${channel.replaceAll('"', '""')}"`
      const hearers = heard.get(channel) ?? new Set()
      heard.set(channel, hearers.add(hear))
      await run(`listen ${name}`)
      return async () => {
        hearers.delete(hear)
        if (hearers.size > 0 || isClosed || broken.signal.aborted) return
        heard.delete(channel)
        await run(`unlisten ${name}`)
      }
    },
    parsers,
    serializers,
    waits,
    broken: broken.signal,
    dump: () => session.runExclusive(() => ask({ kind: 'dump' })),
    async copy(to) {
      await run('checkpoint')
      await ask({ kind: 'copy', to })
    },
    async close() {
      // No thread is left that could write when the folder is given back.
      if (isClosed || broken.signal.aborted) return void (await ended)
      await session.runExclusive(async () => {
        const closed = ask({ kind: 'close' })
        isClosed = true
        await closed
      })
      await (ended = thread.terminate())
    },
  }
}

/** One whole buffer, which can be moved to the thread instead of copied. */
function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function errorOf({ name, message }: { name: string; message: string }): Error {
  return Object.assign(new Error(message), { name })
}
