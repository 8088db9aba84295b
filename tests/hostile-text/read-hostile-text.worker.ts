import { parentPort } from 'node:worker_threads'
import { entrances } from './entrances.ts'

process.emitWarning = () => {}

parentPort?.on('message', (asked: { entrance: string; text: string }) => void read(asked))

async function read({ entrance, text }: { entrance: string; text: string }): Promise<void> {
  const before = process.threadCpuUsage().user
  await entrances[entrance]?.(text)
  parentPort?.postMessage({ cpu: (process.threadCpuUsage().user - before) / 1000 })
}
