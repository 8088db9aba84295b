import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnBothEngines } from '../../../tests/stores.ts'
import { changeLimitSizes, LimitError, checkLimits, countLimits, giveBackLimit } from './limits.ts'

const limit = { name: 'test', count: 5, seconds: 60 }

describeOnBothEngines('a rolling limit', (store) => {
  const take = (subject: string): Promise<void> =>
    store().transaction((tx) => countLimits(tx, [{ limit, subject }]))
  const waitOf = (work: Promise<void>): Promise<number> =>
    work.then(
      () => 0,
      (error: unknown) => {
        if (error instanceof LimitError) return error.retryAfter
        throw error
      },
    )
  const age = (subject: string, seconds: number): Promise<unknown> =>
    store().transaction((tx) =>
      sql`update recent_uses set used_at = used_at - make_interval(secs => ${seconds}::int) where scope = ${`test:${subject}`}`.execute(
        tx,
      ),
    )

  it('allows exactly its count when many requests come at once', async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => take('parallel')))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(await waitOf(checkLimits(store().db, [{ limit, subject: 'parallel' }]))).toBeGreaterThan(50)
  })

  it('does not count what was refused', async () => {
    for (let use = 0; use < 5; use++) await take('refused')
    expect(await waitOf(take('refused'))).toBeGreaterThan(50)
    await age('refused', 61)
    for (let use = 0; use < 5; use++) await take('refused')
    expect(await waitOf(take('refused'))).toBeGreaterThan(50)
  })

  it('allows one more request each time that the oldest use leaves the window', async () => {
    await take('rolling')
    await age('rolling', 50)
    for (let use = 0; use < 4; use++) await take('rolling')
    expect(await waitOf(take('rolling'))).toBeLessThanOrEqual(10)
    expect(await waitOf(checkLimits(store().db, [{ limit, subject: 'rolling' }]))).toBeLessThanOrEqual(10)
    await age('rolling', 11)
    await take('rolling')
    expect(await waitOf(take('rolling'))).toBeGreaterThan(30)
  })

  it('takes a use back', async () => {
    const giveBack = (): Promise<void> =>
      store().transaction((tx) => giveBackLimit(tx, { limit, subject: 'back' }))
    for (let use = 0; use < 12; use++) {
      await take('back')
      await giveBack()
    }
    for (let use = 0; use < 5; use++) await take('back')
    expect(await waitOf(take('back'))).toBeGreaterThan(50)
    await giveBack()
    await take('back')
    expect(await waitOf(take('back'))).toBeGreaterThan(50)
  })

  it('stays exact when its size changes within the window', async () => {
    const resize = (count: number | undefined): Promise<void> =>
      store().transaction((tx) => changeLimitSizes(tx, undefined, { test: count }))
    for (let use = 0; use < 5; use++) await take('sized')
    await resize(8)
    for (let use = 0; use < 3; use++) await take('sized')
    expect(await waitOf(take('sized'))).toBeGreaterThan(50)
    await age('sized', 30)
    // A smaller one counts what a larger one has allowed.
    await resize(2)
    expect(await waitOf(checkLimits(store().db, [{ limit, subject: 'sized' }]))).toBeGreaterThan(20)
    expect(await waitOf(take('sized'))).toBeGreaterThan(20)
    await age('sized', 31)
    await take('sized')
    await take('sized')
    expect(await waitOf(take('sized'))).toBeGreaterThan(50)
    // Six of the eight have left the window, and the two are still in it.
    await resize(undefined)
    for (let use = 0; use < 3; use++) await take('sized')
    expect(await waitOf(take('sized'))).toBeGreaterThan(50)
    const refused = take('sized')
    await expect(refused).rejects.toMatchObject({ limit: { name: 'test', count: 5 } })
  })

  it('has the size of the organization before that of the server', async () => {
    await sql`insert into organizations (id, name) values ('org_large', 'Large')`.execute(store().db)
    const of = (organizationId: string, subject: string): Promise<void> =>
      store().transaction((tx) => countLimits(tx, [{ limit, subject, organizationId }]))
    await store().transaction((tx) => changeLimitSizes(tx, undefined, { test: 1 }))
    await store().transaction((tx) => changeLimitSizes(tx, 'org_large', { test: 7 }))
    for (let use = 0; use < 7; use++) await of('org_large', 'large')
    await expect(of('org_large', 'large')).rejects.toMatchObject({ limit: { count: 7 } })
    await of('org_small', 'small')
    await expect(of('org_small', 'small')).rejects.toMatchObject({ limit: { count: 1 } })
    await store().transaction((tx) => changeLimitSizes(tx, undefined, { test: undefined }))
  })

  it('counts subjects separately', async () => {
    for (let use = 0; use < 5; use++) await take('one')
    await take('two')
    expect(await waitOf(checkLimits(store().db, [{ limit, subject: 'two' }]))).toBe(0)
  })

  it('counts several limits together, or none when one is reached', async () => {
    const wide = { name: 'wide', count: 50, seconds: 60 }
    const both = (first: string, second: string): Promise<void> =>
      store().transaction((tx) =>
        countLimits(tx, [
          { limit: wide, subject: first },
          { limit, subject: second },
        ]),
      )
    for (let use = 0; use < 5; use++) await both('all', 'each')
    for (let use = 0; use < 3; use++) {
      const refused = both('all', 'each')
      await expect(refused).rejects.toMatchObject({ limit: { name: 'test' } })
      expect(await waitOf(refused)).toBeGreaterThan(50)
    }
    const uses = store().db.selectFrom('recent_uses').select('n').where('scope', '=', 'wide:all')
    expect(await uses.execute()).toHaveLength(5)
    const look = checkLimits(store().db, [
      { limit: wide, subject: 'all' },
      { limit, subject: 'each' },
    ])
    await expect(look).rejects.toMatchObject({ limit: { name: 'test' } })
  })

  it('never deadlocks transactions that count the same two limits', async () => {
    const wide = { name: 'wide', count: 1000, seconds: 60 }
    const pair = ['one', 'two'].map((subject) => ({ limit: wide, subject }))
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        store().transaction((tx) => countLimits(tx, n % 2 === 0 ? pair : pair.toReversed())),
      ),
    )
    const uses = store().db.selectFrom('recent_uses').select('n').where('scope', 'like', 'wide:%o%')
    expect(await uses.execute()).toHaveLength(120)
  })
})
