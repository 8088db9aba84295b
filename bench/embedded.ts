/**
 * What the embedded store lets others wait for: an export of all conversations, insights of 90 days and a backup, while
 * /healthz is asked 20 times a second.
 *
 *   node bench/embedded.ts [--messages 300000] [--peer PATH]
 *
 * `--peer` names another checkout, whose server is measured after this one's on a store filled in the same way. With
 * DATABASE_URL, an empty PostgreSQL database, this checkout alone is measured on it.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { sql } from 'kysely'
import { openEmbeddedStore, openPostgresStore } from '../src/store/database.ts'
import { processFigures } from './process-figures.ts'
import { startCheckout, type CheckoutServer } from './start-checkout.ts'

const { values } = parseArgs({
  options: { messages: { type: 'string', default: '300000' }, peer: { type: 'string' } },
})
const messages = Number(values.messages)
const own = resolve(import.meta.dirname, '..')
for (const checkout of [own, ...(values.peer === undefined ? [] : [resolve(values.peer)])])
  await measure(checkout)

async function measure(checkout: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-bench-'))
  try {
    const first = await startCheckout(checkout, { keep: folder })
    await first.stop()
    await fill(folder, first.projectId)
    const server = await startCheckout(checkout, { keep: folder })
    console.log(
      `${checkout}: ${messages.toLocaleString('en')} messages, ready in ${server.seconds.toFixed(1)} s`,
    )
    await delay(3000)
    try {
      await look({ ...server, projectId: first.projectId, adminKey: first.adminKey }, folder)
    } finally {
      await server.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function look(server: CheckoutServer, folder: string): Promise<void> {
  const get = async (path: string): Promise<number> => {
    const response = await fetch(new URL(path, server.url), {
      headers: { authorization: `Bearer ${server.adminKey}` },
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    let bytes = 0
    for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length
    return bytes
  }
  const day = (before: number): string => new Date(Date.now() - before * 86_400_000).toISOString()
  const insights = `/v2/insights/${server.projectId}?from=${day(90)}&to=${day(0)}`
  const search = async (): Promise<void> =>
    void (await get(`/v2/insights/${server.projectId}/threads?limit=1`))
  let backups = 0
  const backup = async (): Promise<void> => {
    const command = [join(server.checkout, 'bin/docwright.js'), '--data', folder, 'backup']
    await promisify(execFile)(process.execPath, [...command, join(folder, `${++backups}.backup`)])
  }
  await during('nothing', server, () => delay(5000))
  await during('insights, first', server, () => get(insights))
  await during('insights, again', server, () => get(insights))
  await during('export', server, () => get(`/v2/insights/${server.projectId}/export`))
  await during('backup', server, () => backup(), search)
  await during('insights and export and backup', server, () =>
    Promise.all([get(insights), get(`/v2/insights/${server.projectId}/export?format=csv`), backup()]),
  )
  const { memory } = await processFigures(server.pid)
  console.log(`memory: ${memory.toFixed(0)} MB, all processes`)
}

/** Asks for /healthz, and now and then for what needs the store. */
async function during(
  name: string,
  { url }: CheckoutServer,
  work: () => Promise<unknown>,
  beside?: () => Promise<void>,
): Promise<void> {
  const [health, others]: [number[], number[]] = [[], []]
  const state = { over: false }
  const loop = async (times: number[], pause: number, ask: () => Promise<unknown>): Promise<void> => {
    const asked: Promise<void>[] = []
    while (!state.over) {
      const began = performance.now()
      asked.push(ask().then(() => void times.push(performance.now() - began)))
      await delay(pause)
    }
    await Promise.all(asked)
  }
  const loops = [
    loop(health, 50, async () => void (await (await fetch(new URL('/healthz', url))).text())),
    ...(beside ? [loop(others, 500, beside)] : []),
  ]
  const began = performance.now()
  await work()
  const seconds = (performance.now() - began) / 1000
  state.over = true
  await Promise.all(loops)
  const figures = (times: number[]): string => {
    const sorted = times.toSorted((one, other) => one - other)
    const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0)
    return `p50 ${at(0.5)} p95 ${at(0.95)} max ${at(1)} ms of ${sorted.length}`
  }
  console.log(
    `${name}: ${seconds.toFixed(1)} s; /healthz ${figures(health)}${beside ? `; lists beside it ${figures(others)}` : ''}`,
  )
}

async function fill(folder: string, projectId: string): Promise<void> {
  const address = process.env['DATABASE_URL']
  await using store =
    address === undefined
      ? await openEmbeddedStore(join(folder, 'store', 'pglite'))
      : await openPostgresStore(address)
  const step = 5000
  for (let from = 0; from < messages / 2; from += step) {
    const to = Math.min(from + step, messages / 2) - 1
    await store.longTransaction(async (tx) => {
      await sql`insert into threads (project_id, id, minted)
        select ${projectId}, 'bench-' || t, true from generate_series(${from / 2}::int, ${Math.floor(to / 2)}::int) t
        on conflict do nothing`.execute(tx)
      await sql`
        insert into messages (project_id, thread_id, n, id, fp, role, text, sources, outcome, missing, caller, model,
          milliseconds, created_at)
        select ${projectId}, 'bench-' || q / 2, q % 2 * 2 + half, 'msg_bench-' || q || '-' || half, 'fp-' || q % 5000,
          case half when 0 then 'user' else 'assistant' end,
          repeat('How does it work with number ' || q || '? ', case half when 0 then 2 else 25 end),
          case half when 0 then '[]' else jsonb_build_array(jsonb_build_object('path', 'page-' || q % 300 || '.md',
            'url', 'https://docs.example.com/page-' || q % 300 || '#part-' || q % 5, 'title', 'Page ' || q % 300)) end,
          case half when 1 then 'answered' end, '[]', 'web', case half when 1 then 'builtin' end,
          case half when 1 then q % 4000 end, now() - q * interval '90 days' / ${messages / 2}::float8
        from generate_series(${from}::int, ${to}::int) q, generate_series(0, 1) half`.execute(tx)
      await sql`
        insert into searches (project_id, query, results, confidence, caller, milliseconds, created_at)
        select ${projectId}, 'how to ' || q % 4000, q % 5, 0.5, 'web', 3,
          now() - q * interval '90 days' / ${messages / 2}::float8
        from generate_series(${from}::int, ${to}::int, 2) q`.execute(tx)
    })
  }
}
