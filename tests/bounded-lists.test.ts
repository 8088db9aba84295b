import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { findJobs } from '../src/features/agent/find-jobs.ts'
import { findJobByBranch, listJobs } from '../src/features/agent/jobs.ts'
import { listMessages } from '../src/nouns/webhooks/table.ts'
import { listThreads, readExchanges } from '../src/features/assistant/insights/conversations.ts'
import { eachAuditLine, listAudit } from '../src/nouns/audit/table.ts'
import { readPullRequests } from '../src/integrations/forges/local/pull-requests.ts'
import type { Tx } from '../src/store/database.ts'
import { describeOnStore } from './stores.ts'

const many = 20_000
/** Of a page of ten with what belongs to each. */
const few = 400

describeOnStore('lists', (store) => {
  beforeAll(async () => {
    // What is looked for is the oldest, and the newest rows are another project's.
    const statements = [
      `insert into organizations (id, name) values ('org_quiet', 'Quiet'), ('org_busy', 'Busy')`,
      `insert into projects (id, organization_id, domain, kind, location, ref, root) values
        ('prj_quiet', 'org_quiet', 'quiet', 'path', '/quiet', 'main', ''),
        ('prj_busy', 'org_busy', 'busy', 'path', '/busy', 'main', '')`,
      `insert into jobs (id, project_id, status, title, model, base, branch, draft, checks, changes, pull_request)
        select 'job_' || lpad(n::text, 8, '0'), case when n <= ${many / 2} then 'prj_quiet' else 'prj_busy' end,
          case when n < 4 then 'failed' when n = 4 then 'active' else 'completed' end, 'Change ' || n, 'builtin', 'main',
          'b' || n, false, '[]', '[]', case when n = 5 then '{"state": "open"}'::jsonb end from generate_series(1, ${many}) n`,
      `insert into turns (id, job_id, n, prompt, status, outcome) select 'trn_' || id, id, 1, 'Change it',
        case status when 'active' then 'running' else 'completed' end, 'changed' from jobs`,
      `insert into threads (project_id, id, minted, created_at, updated_at)
        select project_id, id, true, now() - interval '1 day' + n * interval '1 second',
          now() - interval '1 day' + n * interval '1 second'
        from (select project_id, id, row_number() over (order by id) as n from jobs) numbered`,
      `insert into messages (project_id, thread_id, n, id, fp, role, text, sources, outcome, created_at)
        select project_id, threads.id, n, 'msg_' || n, '', case n when 0 then 'user' else 'assistant' end, '', '[]',
          case n when 1 then 'answered' end, created_at from threads cross join generate_series(0, 1) n`,
      `insert into webhooks (id, project_id, url, secret, events)
        values ('whk_quiet', 'prj_quiet', 'https://a.test', '', '[]'), ('whk_busy', 'prj_busy', 'https://b.test', '', '[]')`,
      `insert into webhook_messages (id, webhook_id, type, payload, state)
        select 'msg_' || id, 'whk_' || substr(project_id, 5), 'job.completed', '{}',
          case status when 'failed' then 'failed' else 'delivered' end from jobs`,
      `insert into pull_requests (project_id, number, token, title, body, head, base, state, draft, head_commit, base_commit)
        select 'prj_quiet', n, n::text, '', '', n::text, 'main', case when n = 1 then 'closed' else 'merged' end, false, '', ''
        from generate_series(1, ${many}) n`,
      `insert into people (id, name, email) values ('per_ada', 'Ada', 'ada@a.test'), ('per_bo', 'Bo', 'bo@b.test')`,
      `insert into memberships (organization_id, person_id, role) values
        ('org_quiet', 'per_ada', 'owner'), ('org_busy', 'per_bo', 'owner')`,
      `insert into acts (verb, actor_kind, actor_id, actor_name, organization_id, created_at)
        select case when n % 2 = 0 then 'createJob' else 'signIn' end, 'person',
          case when n < 9 then 'per_ada' else 'per_bo' end, case when n < 9 then 'Ada' else 'Bo' end,
          case when n % 2 = 1 then null when n < 9 then 'org_quiet' else 'org_busy' end,
          now() - interval '30 days' + n * interval '1 minute' from generate_series(1, ${many}) n`,
    ]
    await store().transaction(async (tx) => {
      for (const statement of statements) await sql.raw(statement).execute(tx)
    })
    await sql`analyze`.execute(store().db)
  })

  /** What a list returns, and how many rows of all tables the database has read for it. */
  const rowsRead = async <T>(list: (tx: Tx) => Promise<T>): Promise<{ found: T; read: number }> =>
    store().transaction(async (tx) => {
      const before = await counted(tx)
      const found = await list(tx)
      return { found, read: (await counted(tx)) - before }
    })
  const counted = async (tx: Tx): Promise<number> => {
    const { rows } = await sql<{ read: number }>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int8 as read from pg_stat_xact_user_tables
    `.execute(tx)
    return rows[0]?.read ?? 0
  }

  it('of jobs read what they show, whichever status is rare and whoever works most', async () => {
    for (const [options, count] of [
      [{}, 10],
      [{ status: 'completed' }, 10],
      [{ status: 'failed' }, 3],
      [{ states: ['working'] }, 1],
      [{ states: ['open'] }, 1],
      [{ states: ['archived'] }, 0],
      [{ status: 'failed', text: 'change' }, 3],
    ] as const) {
      const { found, read } = await rowsRead((tx) => listJobs(tx, 'prj_quiet', { ...options, limit: 10 }))
      expect(found.rows).toHaveLength(count)
      expect(read).toBeLessThan(few)
    }
    const ofBranch = await rowsRead((tx) => findJobByBranch(tx, 'prj_quiet', 'b9000'))
    expect(ofBranch.found?.id).toBe('job_00009000')
    expect(ofBranch.read).toBeLessThan(few)
    const newest = await rowsRead((tx) => findJobs(tx, ['prj_quiet', 'prj_busy'], [], 5))
    expect(newest.found.map(({ id }) => id)[0]).toBe('job_00020000')
    expect(newest.read).toBeLessThan(few)
    // Words are looked for in the newest jobs of each project.
    expect((await rowsRead((tx) => findJobs(tx, ['prj_quiet', 'prj_busy'], ['none'], 5))).read).toBeLessThan(
      6000,
    )
  })

  it('of conversations, messages of webhooks and pull requests read what they show', async () => {
    const threads = await rowsRead((tx) => listThreads(tx, 'prj_quiet', { limit: 10 }))
    expect(threads.found.rows).toHaveLength(10)
    const failed = await rowsRead((tx) => listMessages(tx, 'whk_quiet', { limit: 10, state: 'failed' }))
    expect(failed.found.messages).toHaveLength(3)
    const all = await rowsRead((tx) => listMessages(tx, 'whk_quiet', { limit: 10 }))
    expect(all.found.messages).toHaveLength(10)
    const closed = await rowsRead((tx) => readPullRequests(tx, 'prj_quiet', { limit: 10, state: 'closed' }))
    expect(closed.found).toHaveLength(1)
    for (const { read } of [threads, failed, all, closed]) expect(read).toBeLessThan(few)
  })

  it('of the audit log read what they show, and search a window of it', async () => {
    const quiet = await rowsRead((tx) => listAudit(tx, { organizationId: 'org_quiet' }, 10))
    expect(quiet.found.rows.map(({ verb }) => verb)).toEqual(
      Array.from({ length: 8 }, (_, n) => ['createJob', 'signIn'][n % 2]),
    )
    expect(quiet.read).toBeLessThan(few)
    const asked = { organizationId: 'org_busy', actor: 'ada' }
    const first = await rowsRead((tx) => listAudit(tx, asked, 10, 1000))
    expect([first.found.rows, first.found.searched]).toEqual([[], 1000])
    expect(first.read).toBeLessThan(5000)
    const before = first.found.next ?? 0
    expect(before).toBeGreaterThan(many - 1100)
    expect((await listAudit(store().db, { ...asked, before }, 10, 1000)).next).toBeLessThan(before)
    // There is a line each minute, so that any quarter of an hour has 15 of them.
    const from = new Date(Date.now() - 28 * 86_400_000)
    const range = { organizationId: 'org_busy', from, to: new Date(from.getTime() + 15 * 60_000) }
    const ranged = await rowsRead((tx) => listAudit(tx, range, 100))
    expect([ranged.found.rows.length, ranged.found.next]).toEqual([15, undefined])
    expect(ranged.read).toBeLessThan(few)
  })

  it('read each row a few times for an export', async () => {
    const questions = await rowsRead(async (tx) => {
      let count = 0
      for await (const batch of readExchanges(tx, 'prj_quiet', { outcome: 'answered' })) count += batch.length
      return count
    })
    expect(questions.found).toBe(many / 2)
    expect(questions.read).toBeLessThan(8 * many)
    const lines = await rowsRead(async (tx) => {
      let count = 0
      for await (const _ of eachAuditLine(tx, { organizationId: 'org_busy', actor: 'bo' })) count++
      return count
    })
    expect(lines.found).toBe(many - 8)
    expect(lines.read).toBeLessThan(8 * many)
  })
})
