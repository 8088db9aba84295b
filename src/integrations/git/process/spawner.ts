import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import * as nodeModule from 'node:module'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import { AppError } from '../../../lib/errors.ts'
import { MachineTrouble, troubleFor } from '../../../lib/machine-trouble.ts'
import {
  killGroup,
  startProcess,
  type ProcessCall,
  type ProcessEnd,
  type StartedProcess,
  type StartProcess,
} from './start-process.ts'

/** A message to the helper: start a program with three streams, which are opened under this number. */
export interface SpawnOrder extends ProcessCall {
  id: number
  program: string
}

/** A message of the helper: the program runs, has ended, or cannot be started. */
export type SpawnReport = { id: number } & (
  | { state: 'started'; pid: number }
  | ({ state: 'ended' } & ProcessEnd)
  | { state: 'failed'; message: string; code: string | undefined }
)

/** The characters at the beginning of a stream: the number of the order and the number of the stream. */
export const headLength = 16

/** Milliseconds that a start may take; far more than the busiest machine needs. */
const patience = 60_000
/** Milliseconds until a helper that has died is replaced. */
const restartPause = 1000

export interface Spawner extends AsyncDisposable {
  start: StartProcess
}

interface Order {
  sockets: Socket[]
  pid: number | undefined
  started: PromiseWithResolvers<StartedProcess>
  ended: PromiseWithResolvers<ProcessEnd>
}

/**
 * Starts programs from a small helper process. Starting a program copies the page tables of the process that starts
 * it: a server of 1 GB stands still for tens of milliseconds each time, the helper for two. The program's streams
 * are sockets between the program and the server. Programs end with the helper, and with the server. A helper that
 * dies is replaced, and until then the server starts programs itself.
 */
export async function openSpawner(): Promise<Spawner> {
  const path = join(await mkdtemp(join(tmpdir(), 'docwright-')), 'streams')
  const orders = new Map<number, Order>()
  const server = createServer({ allowHalfOpen: true }, (socket) => takeStream(socket, orders)).listen(path)
  await once(server, 'listening')
  let isClosed = false
  let restart: NodeJS.Timeout | undefined
  let helper = startHelper(path, orders, replace)
  function replace(): void {
    // A new helper starts only after a pause, because what killed the last one, such as missing memory, may happen
    // again.
    if (isClosed) return
    restart = setTimeout(() => {
      try {
        helper = startHelper(path, orders, replace)
      } catch {
        replace()
      }
    }, restartPause).unref()
  }
  let last = 0
  return {
    start(program, call) {
      if (!helper.connected) return startProcess(program, call)
      const id = ++last
      const order: Order = {
        sockets: [],
        pid: undefined,
        started: Promise.withResolvers(),
        ended: Promise.withResolvers(),
      }
      orders.set(id, order)
      const late = setTimeout(() => fail(order, new AppError('unavailable', 'git did not start')), patience)
      const forget = (): void => void orders.delete(id)
      order.started.promise
        .finally(() => clearTimeout(late))
        .then(({ closed }) => closed)
        .then(forget, forget)
      helper.send({ id, program, ...call } satisfies SpawnOrder, (error) => {
        if (error) fail(order, error)
      })
      return order.started.promise
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(restart)
      server.close()
      if (!helper.connected) return rm(dirname(path), { recursive: true, force: true })
      const exit = once(helper, 'exit')
      helper.disconnect()
      await exit
    },
  }
}

function startHelper(path: string, orders: Map<number, Order>, onEnd: () => void): ChildProcess {
  // Without this option the helper keeps a TypeScript compiler in memory, 20 MB. Node 20 has none.
  const cache = 'getCompileCacheDir' in nodeModule ? nodeModule.getCompileCacheDir() : undefined
  const helper = fork(new URL('spawner.process.ts', import.meta.url), [path], {
    env: { ...(cache !== undefined && { NODE_COMPILE_CACHE: dirname(cache) }) },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  helper.on('message', (report) => takeReport(report as SpawnReport, orders))
  let hasEnded = false
  const end = (): void => {
    if (hasEnded) return
    hasEnded = true
    const lost = new MachineTrouble(troubleFor('no_memory'), {
      cause: new Error('The process that starts git was ended'),
    })
    for (const order of orders.values()) {
      if (order.pid !== undefined) killGroup(order.pid)
      fail(order, lost)
    }
    orders.clear()
    onEnd()
  }
  helper.on('error', end)
  helper.on('exit', end)
  return helper
}

function takeStream(socket: Socket, orders: ReadonlyMap<number, Order>): void {
  // A program that ends before it has read everything is reported by its exit code.
  socket.on('error', () => {})
  socket.on('readable', function take() {
    const head: unknown = socket.read(headLength)
    if (!(head instanceof Buffer)) return
    socket.off('readable', take)
    const [id = 0, stream = 0] = head.toString().split(' ').map(Number)
    const order = orders.get(id)
    if (!order) return void socket.destroy()
    order.sockets[stream] = socket
    settleStart(order)
  })
}

function takeReport(report: SpawnReport, orders: Map<number, Order>): void {
  const order = orders.get(report.id)
  // The program started too late, and nothing waits for it any more.
  if (!order) return report.state === 'started' ? killGroup(report.pid) : undefined
  if (report.state === 'started') {
    order.pid = report.pid
    settleStart(order)
    return
  }
  // Its streams may arrive after its exit.
  if (report.state === 'ended') order.ended.resolve({ code: report.code, signal: report.signal })
  else fail(order, Object.assign(new Error(report.message), { code: report.code }))
}

function fail({ started, ended, sockets }: Order, error: Error): void {
  ended.promise.catch(() => {})
  started.reject(error)
  ended.reject(error)
  for (const socket of sockets) socket?.destroy()
}

function settleStart({ sockets: [input, stdout, stderr], pid, started, ended }: Order): void {
  if (pid === undefined || !input || !stdout || !stderr) return
  const stdin = writingTo(input)
  const outputs = [stdout, stderr]
  // Each stream carries one direction.
  for (const output of outputs) output.end()
  const closed = Promise.all([ended.promise, ...outputs.map((output) => once(output, 'close'))])
  const flush = (): void => {
    input.destroy()
    // A stream that nobody reads does not delay the end.
    for (const output of outputs) if (output.readableFlowing === null) output.resume()
  }
  ended.promise.then(() => setImmediate(flush), flush)
  started.resolve({ pid, stdin, stdout, stderr, closed: closed.then(([end]) => end) })
}

// Like a pipe to a child, it breaks when the program ends before it has read everything.
function writingTo(socket: Socket): Writable {
  const broken = (): Error => Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
  const stdin = new Writable({
    write: (chunk: Uint8Array, _encoding, done) => {
      socket.write(chunk, (error) => done(error ? broken() : null))
    },
    final: (done) => {
      socket.end(() => done())
    },
    destroy: (error, done) => {
      socket.destroy()
      done(error)
    },
  })
  socket.resume().once('close', () => {
    stdin.destroy(stdin.writableLength > 0 ? broken() : undefined)
  })
  return stdin
}
