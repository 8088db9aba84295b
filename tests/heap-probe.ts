import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { TestServer } from './server.ts'

/** Looks at the memory of a server from outside, by the debugger's port. */
export interface HeapProbe extends Disposable {
  /** Bytes of what is still in use after collections: objects, and buffers that they hold. */
  bytesInUse(): Promise<number>
}

/** Starts a server with these, so that its memory can be looked at. */
export const heapArguments = ['--inspect=127.0.0.1:0']

const usage = z.object({
  result: z.object({ value: z.object({ heapUsed: z.number(), arrayBuffers: z.number() }) }),
})
// Without the memory of the embedded database, which grows with its rows.
const readUsage = { expression: 'process.memoryUsage()', returnByValue: true }
const answer = z.object({ id: z.number(), result: z.unknown(), error: z.unknown() }).partial()

/** @param server started with `heapArguments` */
export async function openHeapProbe(server: TestServer): Promise<HeapProbe> {
  const address = /Debugger listening on (ws:\S+)/.exec(server.output())?.[1]
  if (address === undefined) throw new Error('The server was started without `heapArguments`')
  const socket = new WebSocket(address)
  await once(socket, 'open')
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = answer.parse(JSON.parse(String(data)))
    if (error !== undefined) throw new Error(JSON.stringify(error))
    if (id !== undefined) waiting.get(id)?.(result)
  })
  let sent = 0
  const ask = async (method: string, params = {}): Promise<unknown> => {
    sent += 1
    const { promise, resolve } = Promise.withResolvers<unknown>()
    waiting.set(sent, resolve)
    socket.send(JSON.stringify({ id: sent, method, params }))
    return promise
  }
  return {
    async bytesInUse() {
      let least = Number.POSITIVE_INFINITY
      // What is finalized lets go of more in a later turn, and connections take a moment to close.
      for (let times = 0; times < 3; times++) {
        await delay(100)
        await ask('HeapProfiler.collectGarbage')
        const { value } = usage.parse(await ask('Runtime.evaluate', readUsage)).result
        least = Math.min(least, value.heapUsed + value.arrayBuffers)
      }
      return least
    },
    [Symbol.dispose]: () => socket.close(),
  }
}
