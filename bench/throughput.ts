/**
 * What small jobs of the built-in model cost: time and CPU of all processes, one after the other and many at once.
 *
 *   node bench/throughput.ts [--alone 10] [--at-once 40] [--peer PATH]
 *
 * `--peer` names another checkout, which is measured alternately with this one. It uses the embedded store, or
 * DATABASE_URL, an empty PostgreSQL database, for this checkout only.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { processFigures } from './process-figures.ts'
import { startCheckout } from './start-checkout.ts'
import type { CheckoutServer } from './start-checkout.ts'

const { values } = parseArgs({
  options: {
    alone: { type: 'string', default: '10' },
    'at-once': { type: 'string', default: '40' },
    rounds: { type: 'string', default: '1' },
    peer: { type: 'string' },
  },
})
const [alone, atOnce, rounds] = [values.alone, values['at-once'], values.rounds].map(Number) as [
  number,
  number,
  number,
]
const ours = new URL('..', import.meta.url).pathname
const checkouts = values.peer === undefined ? [ours] : [ours, values.peer]
const servers: CheckoutServer[] = []
let notes = 0
for (const checkout of checkouts) servers.push(await startCheckout(checkout))
try {
  for (const server of servers) {
    console.log(
      `${server.checkout}: ${(await idleShare(server)).toFixed(1)} % of a core when nothing is to do`,
    )
    // Warms up, because modules that are loaded on first use are not part of a job.
    for (let n = 0; n < 3; n++) await runJobs(server, 1)
  }
  for (let round = 0; round < rounds; round++)
    for (const server of servers) {
      const one = await measure(server, alone, 1)
      const many = await measure(server, atOnce, atOnce)
      console.log(`${server.checkout}: alone ${one}; ${atOnce} at once ${many}`)
    }
} finally {
  for (const server of servers) await server.stop()
}

async function idleShare({ pid }: CheckoutServer): Promise<number> {
  await delay(5000)
  const before = await processFigures(pid)
  await delay(20_000)
  return ((await processFigures(pid)).cpu - before.cpu) * 5
}

async function measure(server: CheckoutServer, jobs: number, together: number): Promise<string> {
  const before = await processFigures(server.pid)
  const times: number[] = []
  for (let done = 0; done < jobs; done += together) times.push(await runJobs(server, together))
  const cpu = (await processFigures(server.pid)).cpu - before.cpu
  const wall = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
  return `${(cpu / jobs).toFixed(2)} s of CPU and ${(wall / together).toFixed(2)} s a job`
}

/** Seconds from the first request until all jobs have their pull requests, by the times that the server records. */
async function runJobs({ url, projectId, adminKey }: CheckoutServer, count: number): Promise<number> {
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' }
  const path = `${url}/v2/agent/${projectId}/job`
  const read = async <T>(address: string): Promise<T> =>
    (await (await fetch(address, { headers })).json()) as T
  const create = async (): Promise<string> => {
    const body = JSON.stringify({ prompt: `Add a note to the quickstart page: "Note ${++notes}."` })
    const created = await fetch(path, { method: 'POST', headers, body })
    if (created.status !== 201) throw new Error(`A job is not taken: ${await created.text()}`)
    return ((await created.json()) as { id: string }).id
  }
  const ids = await Promise.all(Array.from({ length: count }, create))
  const times: number[] = []
  for (const id of ids) {
    let job: { status: string } | undefined
    // Polls rarely, because polling is measured too.
    for (; job === undefined || job.status === 'active'; job = await read(`${path}/${id}`)) await delay(500)
    if (job.status !== 'completed') throw new Error(`A job is ${job.status}: ${JSON.stringify(job)}`)
    const { events } = await read<{ events: { createdAt: string }[] }>(`${path}/${id}/events`)
    times.push(...[events[0], events.at(-1)].map((event) => Date.parse(event?.createdAt ?? '')))
  }
  return (Math.max(...times) - Math.min(...times)) / 1000
}
