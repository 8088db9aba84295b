import { Worker } from 'node:worker_threads'

const deadline = 10_000
const idle = 30_000

let worker: Worker | undefined
let resting: NodeJS.Timeout | undefined
let queue: Promise<unknown> = Promise.resolve()

/**
 * TypeScript with its types made white space, every other character where it was; undefined for what cannot be read.
 * It happens in a thread of its own: deep nesting breaks the parser for good, which must not be the server's.
 */
export function stripTypes(text: string): Promise<string | undefined> {
  const result = queue.then(() => ask(text))
  queue = result
  return result
}

async function ask(text: string): Promise<string | undefined> {
  clearTimeout(resting)
  worker ??= new Worker(new URL('strip-types.worker.ts', import.meta.url))
  const asked = worker
  asked.ref()
  const answer = await new Promise<{ text: string | undefined; healthy: boolean }>((resolve) => {
    const broken = () => resolve({ text: undefined, healthy: false })
    const timer = setTimeout(broken, deadline)
    const settle = (value: { text: string | undefined; healthy: boolean }) => {
      clearTimeout(timer)
      resolve(value)
    }
    asked.removeAllListeners()
    asked.once('message', settle).once('error', broken).once('exit', broken)
    asked.postMessage(text)
  })
  asked.unref()
  if (answer.healthy) {
    resting = setTimeout(stop, idle)
    resting.unref()
  } else stop()
  return answer.text?.length === text.length ? answer.text : undefined
}

function stop(): void {
  const stopped = worker
  worker = undefined
  stopped?.removeAllListeners()
  // Without a listener an error of a thread that is on its way out would end the process.
  stopped?.on('error', () => {})
  void stopped?.terminate()
}
