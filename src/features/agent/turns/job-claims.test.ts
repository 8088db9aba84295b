import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { describeOnBothEngines } from '../../../../tests/stores.ts'
import type { Store } from '../../../store/database.ts'
import { newId } from '../../../lib/ids.ts'
import { insertTurn } from '../turns.ts'
import {
  claimNextJob,
  leaveJob,
  othersWait,
  renewJobClaims,
  waitingJobs,
  yieldTurn,
  type JobClaim,
} from './job-claims.ts'

describeOnBothEngines('turns of jobs', (store) => {
  beforeEach(async () => {
    await store().transaction((tx) => sql`truncate organizations cascade`.execute(tx))
  })

  it('go round the organizations, however many jobs one of them has', async () => {
    const flood = await addJobs(store(), 'flood', 'docs', 200)
    const small = [
      ...(await addJobs(store(), 'one', 'docs', 2)),
      ...(await addJobs(store(), 'two', 'docs', 2)),
    ]
    const first = await claims(store(), 7)
    // One of each at a time, and the flood has what the others leave.
    expect(new Set(first.slice(0, 3).map(ownerOf))).toEqual(new Set(['flood', 'one', 'two']))
    expect(new Set(first.slice(3, 6).map(ownerOf))).toEqual(new Set(['flood', 'one', 'two']))
    expect(first.filter(({ jobId }) => small.includes(jobId))).toHaveLength(4)
    expect(flood).toContain(first[6]?.jobId)
  })

  it('give a free place to the organization that has none, though it came last', async () => {
    await addJobs(store(), 'flood', 'docs', 100)
    const running = await claims(store(), 2)
    const late = await addJobs(store(), 'late', 'docs', 1)
    await leave(store(), running[0])
    expect((await claims(store(), 1))[0]?.jobId).toBe(late[0])
  })

  it('go round the projects of an organization', async () => {
    await addJobs(store(), 'flood', 'docs', 50)
    const other = await addJobs(store(), 'flood', 'api', 2)
    const four = await claims(store(), 4)
    expect(four.map(({ jobId }) => other.includes(jobId))).toEqual([false, true, false, true])
  })

  it('keep the order of a project, and put what has used more slices behind', async () => {
    const [a, b, c] = await addJobs(store(), 'one', 'docs', 3)
    const [first] = await claims(store(), 1)
    expect(first?.jobId).toBe(a)
    const turn = await store()
      .db.selectFrom('turns')
      .selectAll()
      .where('job_id', '=', a ?? '')
      .executeTakeFirstOrThrow()
    await store().transaction((tx) => yieldTurn(tx, turn.id, 1))
    if (first) await leave(store(), first)
    expect((await claims(store(), 3)).map(({ jobId }) => jobId)).toEqual([b, c, a])
  })

  it('are not given twice, also when many ask at once', async () => {
    await addJobs(store(), 'one', 'docs', 10)
    await addJobs(store(), 'two', 'docs', 10)
    const all = await Promise.all(Array.from({ length: 25 }, () => claimNextJob(store())))
    const got = all.flatMap((claim) => (claim ? [claim.jobId] : []))
    expect(new Set(got).size).toBe(20)
    expect(got).toHaveLength(20)
    const owners = all.flatMap((claim) => (claim ? [ownerOf(claim)] : []))
    expect(owners.filter((owner) => owner === 'one')).toHaveLength(10)
  })

  it('are taken over from a process that has ended, and not from one that renews its claim', async () => {
    await addJobs(store(), 'one', 'docs', 1)
    const [claim] = await claims(store(), 1)
    if (!claim) throw new Error('nothing was claimed')
    const pass = (seconds: number) =>
      store().transaction((tx) =>
        sql`update job_claims set claimed_until = claimed_until - make_interval(secs => ${seconds})`.execute(
          tx,
        ),
      )
    await pass(5)
    await renewJobClaims(store(), [claim])
    await pass(5)
    expect(await claimNextJob(store())).toBeUndefined()
    await pass(5)
    // The process that works on it was only too busy to say so.
    expect(await claimNextJob(store(), [claim.jobId])).toBeUndefined()
    const next = await claimNextJob(store())
    expect(next?.jobId).toBe(claim.jobId)
    // What has lost the claim neither renews nor ends that of the other.
    await renewJobClaims(store(), [claim])
    await leave(store(), claim)
    expect(await waitingJobs(store().db)).toEqual([])
  })

  it('tell whoever leaves a job that more came meanwhile', async () => {
    const [jobId = ''] = await addJobs(store(), 'one', 'docs', 1)
    const [claim] = await claims(store(), 1)
    await endTurns(store(), jobId)
    await store().transaction((tx) => insertTurn(tx, jobId, 'more'))
    expect(await claimNextJob(store())).toBeUndefined()
    expect(await leave(store(), claim)).toBe(true)
    const [again] = await claims(store(), 1)
    await endTurns(store(), jobId)
    expect(await leave(store(), again)).toBe(false)
    expect(await waitingJobs(store().db)).toEqual([])
  })

  it('leave out what is parked, and what somebody works on', async () => {
    const [a = '', b = ''] = await addJobs(store(), 'one', 'docs', 2)
    await store().transaction((tx) =>
      sql`update turns set parked_until = now() + interval '1 hour' where job_id = ${a}`.execute(tx),
    )
    expect(await waitingJobs(store().db)).toEqual([b])
    expect(await othersWait(store().db, b)).toBe(false)
    expect(await othersWait(store().db, a)).toBe(true)
    expect((await claims(store(), 1))[0]?.jobId).toBe(b)
    expect(await claimNextJob(store())).toBeUndefined()
  })
})

const owners = new Map<string, string>()

function ownerOf({ jobId }: JobClaim): string | undefined {
  return owners.get(jobId)
}

async function claims(store: Store, count: number): Promise<JobClaim[]> {
  const all: JobClaim[] = []
  for (let n = 0; n < count; n++) {
    const claim = await claimNextJob(store)
    if (claim) all.push(claim)
  }
  return all
}

async function leave(store: Store, claim: JobClaim | undefined): Promise<boolean> {
  if (!claim) throw new Error('nothing was claimed')
  return store.transaction((tx) => leaveJob(tx, claim))
}

async function endTurns(store: Store, jobId: string): Promise<void> {
  await store.transaction((tx) =>
    sql`update turns set status = 'completed' where job_id = ${jobId}`.execute(tx),
  )
}

/** @returns the ids of new jobs of a project, in order */
async function addJobs(
  store: Store,
  organization: string,
  project: string,
  count: number,
): Promise<string[]> {
  const projectId = `prj_${organization}_${project}`
  const ids = Array.from({ length: count }, () => newId('job'))
  for (const id of ids) owners.set(id, organization)
  await store.transaction(async (tx) => {
    await sql`insert into organizations (id, name) values (${organization}, 'Test') on conflict do nothing`.execute(
      tx,
    )
    await sql`
      insert into projects (id, organization_id, domain, kind, location, ref, root)
      values (${projectId}, ${organization}, ${`${organization}-${project}`}, 'path', '/tmp/x', 'main', '') on conflict do nothing
    `.execute(tx)
    await sql`
      insert into jobs (id, project_id, status, model, base, branch, draft, budget, checks, changes)
      select value, ${projectId}, 'active', 'builtin', 'main', 'docwright/' || value, false, '{}', '[]', '[]'
      from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)
    `.execute(tx)
    await sql`
      insert into turns (id, job_id, n, prompt, status, created_at)
      select 'trn_' || value, value, 1, 'x', 'queued', now() + n * interval '1 millisecond'
      from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) with ordinality as job(value, n)
    `.execute(tx)
  })
  return ids
}
