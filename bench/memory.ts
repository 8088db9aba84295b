/**
 * What stays in memory of requests that are over, and that strangers cannot wear the server out.
 *
 *   node bench/memory.ts [--minutes 30] [--heap 400] [--calls 7000] [--questions 100] [--megabytes 15]
 *
 * First `--calls` calls of tools without a key in six loops and `--questions` large questions against a heap of
 * `--heap` MB, then all kinds of requests in turns for `--minutes`. The memory in use is read after collections, by the
 * debugger's port.
 */
import { parseArgs } from 'node:util'
import { heapArguments, openHeapProbe } from '../tests/heap-probe.ts'
import { openRequestKinds, sendMany } from '../tests/request-kinds.ts'
import { startServer } from '../tests/server.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    heap: { type: 'string', default: '400' },
    calls: { type: 'string', default: '7000' },
    questions: { type: 'string', default: '100' },
    megabytes: { type: 'string', default: '15' },
  },
})
const [minutes, heap, calls, questions, megabytes] = [
  values.minutes,
  values.heap,
  values.calls,
  values.questions,
  values.megabytes,
].map(Number) as [number, number, number, number, number]

await using server = await startServer({
  nodeArguments: [...heapArguments, `--max-old-space-size=${heap}`],
})
using probe = await openHeapProbe(server)
const kinds = await openRequestKinds(server)
const { domain, assistantKey } = server.welcome
const inUse = async (): Promise<string> => `${((await probe.bytesInUse()) / 1e6).toFixed(1)} MB in use`

for (const kind of kinds) await sendMany(kind, 10)
console.log(`at the beginning: ${await inUse()}, heap of ${heap} MB`)

const tools = kinds.find(({ name }) => name === 'MCP tools/list')
if (tools && calls > 0) {
  const began = performance.now()
  await sendMany(tools, calls, 6)
  console.log(`after ${calls} of ${tools.name} in ${seconds(began)} s: ${await inUse()}`)
}
if (questions > 0) {
  const began = performance.now()
  const statuses = new Map<number, number>()
  for (let n = 0; n < questions; n++) {
    const status = await askLargely(n)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  const told = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
  console.log(
    `after ${questions} questions of ${megabytes} MB in ${seconds(began)} s (${told}): ${await inUse()}`,
  )
}

let sent = 0
const end = performance.now() + minutes * 60_000
while (performance.now() < end) {
  for (const kind of kinds) {
    if (performance.now() >= end) break
    await sendMany(kind, 10)
    sent += 10
  }
  console.log(`${sent} requests of all kinds: ${await inUse()}`)
}

/** A conversation as long as clients may send, most of it in earlier messages. */
async function askLargely(n: number): Promise<number> {
  const text = `${n} ${'All of this was said before. '.repeat((megabytes * 1024 * 1024) / 30)}`
  const message = (role: string, said: string): object => ({
    id: role,
    role,
    parts: [{ type: 'text', text: said }],
  })
  const response = await server.request('POST', `/discovery/v2/assistant/${domain}/message`, {
    key: assistantKey,
    body: { fp: 'anonymous', messages: [message('assistant', text), message('user', 'How do I follow up?')] },
  })
  await response.text()
  return response.status
}

function seconds(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(0)
}
