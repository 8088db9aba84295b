/**
 * What projects cost while nothing happens: syncs a minute and transactions a second on PostgreSQL, with one server
 * process and with several.
 *
 *   node bench/idle-projects.ts [--projects 400] [--processes 1,4] [--seconds 90]
 *
 * Every project reads the same small repository and has stored its newest commit, so that a sync only asks for it.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { newPostgres } from '../tests/postgres-server.ts'
import { startServer } from '../tests/server.ts'
import type { TestServer } from '../tests/server.ts'

const { values } = parseArgs({
  options: {
    projects: { type: 'string', default: '400' },
    processes: { type: 'string', default: '1,4' },
    seconds: { type: 'string', default: '90' },
  },
})
const seconds = Number(values.seconds)
const postgres = await newPostgres()
const folder = mkdtempSync(join(tmpdir(), 'docwright-idle-'))
const git = (...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], { cwd: folder })
    .toString()
    .trim()
git('init', '--quiet', '-b', 'main')
git('commit', '--quiet', '--allow-empty', '-m', 'first')
const commit = git('rev-parse', 'HEAD')
const started = new Date()
const servers: TestServer[] = []
const database = new Client({ connectionString: postgres.url })
await database.connect()
try {
  for (const count of values.processes.split(',').map(Number)) {
    while (servers.length < count) {
      const dataFolder = servers[0]?.dataFolder
      const environment = { DATABASE_URL: postgres.url, DOCWRIGHT_SYNC_INTERVAL: '60' }
      servers.push(await startServer({ ...(dataFolder !== undefined && { dataFolder }), environment }))
      if (servers.length === 1) await addProjects()
    }
    // The tasks of a start are over, and every project has had a turn.
    await delay(70_000)
    const before = await figures()
    await delay(seconds * 1000)
    const after = await figures()
    const per = (name: 'transactions' | 'syncs'): number => after[name] - before[name]
    console.log(
      `${count} processes, ${values.projects} projects: ${((per('syncs') * 60) / seconds).toFixed(0)} syncs a minute, ${(per('transactions') / seconds).toFixed(1)} transactions a second`,
    )
  }
} finally {
  for (const server of servers) await server.stop()
  await database.end()
  await postgres.remove()
}

async function addProjects(): Promise<void> {
  await database.query(
    `insert into projects (id, organization_id, domain, kind, location, ref, root, settings, sync_state, synced_commit, synced_at)
      select 'prj_idle' || n, (select id from organizations limit 1), 'idle-' || n, 'path', $1, 'main', '', '{}', 'ready', $2, now()
      from generate_series(1, $3::int) n`,
    [folder, commit, Number(values.projects)],
  )
}

async function figures(): Promise<{ transactions: number; syncs: number }> {
  const { rows } = await database.query<{ transactions: string; syncs: string }>(
    `select (select xact_commit from pg_stat_database where datname = current_database()) as transactions,
      (select count(*) from pgboss.job where name = 'sync' and created_on > $1) as syncs`,
    [started],
  )
  return { transactions: Number(rows[0]?.transactions), syncs: Number(rows[0]?.syncs) }
}
