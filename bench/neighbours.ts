/**
 * What questions of one organization cost another one on the same server: the time of its questions alone, and while
 * the other one asks as fast as it can. On the embedded store and the built-in model.
 *
 *   node bench/neighbours.ts [--loops 60] [--questions 40]
 */
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runCommand, startServer } from '../tests/server.ts'

const { values } = parseArgs({
  options: { loops: { type: 'string', default: '60' }, questions: { type: 'string', default: '40' } },
})
const server = await startServer()
const token = (await readFile(join(server.dataFolder, 'operator-token'), 'utf8')).trim()
const docs = resolve(import.meta.dirname, '..')
let number = 0
const asked = [
  'How do I add a project?',
  'What is a webhook?',
  'How are limits counted?',
  'Where do I find my key?',
]

try {
  const flood = await addOrganization('flood')
  const other = await addOrganization('other')
  for (const one of [flood, other]) await ask(one)
  await report('alone', other)
  const over = new AbortController()
  let answers = 0
  const begun = performance.now()
  const loops = Array.from({ length: Number(values.loops) }, async () => {
    while (!over.signal.aborted) {
      await ask(flood)
      answers++
    }
  })
  await report(`while another organization asks ${values.loops} questions at a time`, other)
  over.abort()
  await Promise.all(loops)
  console.log(
    `the other organization: ${((answers * 1000) / (performance.now() - begun)).toFixed(1)} answers a second`,
  )
} finally {
  await server.stop()
}

interface Asker {
  domain: string
  key: string
}

async function addOrganization(domain: string): Promise<Asker> {
  const made = await post('/admin/organizations', { name: domain })
  await runCommand(
    server.dataFolder,
    'project',
    'add',
    docs,
    '--domain',
    domain,
    '--root',
    'docs',
    '--organization',
    String(made['id']),
  )
  const { key } = await post('/admin/keys', { kind: 'assistant', project: domain })
  return { domain, key: String(key) }
}

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await server.request('POST', path, { key: token, body })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}

/** @returns milliseconds until the whole answer */
async function ask({ domain, key }: Asker): Promise<number> {
  const begun = performance.now()
  const text = asked[number++ % asked.length]
  const body = { fp: 'bench', messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text }] }] }
  const answer = await server.request('POST', `/discovery/v2/assistant/${domain}/message`, { key, body })
  const said = await answer.text()
  if (!answer.ok || !said.includes('"finish"')) throw new Error(said.slice(0, 500))
  return performance.now() - begun
}

async function report(name: string, asker: Asker): Promise<void> {
  const times: number[] = []
  for (let n = 0; n < Number(values.questions); n++) times.push(await ask(asker))
  times.sort((a, b) => a - b)
  const at = (share: number): string => `${(times[Math.floor(times.length * share)] ?? NaN).toFixed(0)} ms`
  console.log(`${name}: p50 ${at(0.5)}, p95 ${at(0.95)}`)
}
