import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnBothEngines } from '../../../tests/stores.ts'
import { LimitError, lookAtLimit, takeLimit } from './limits.ts'

const limit = { name: 'test', count: 5, seconds: 60 }

describeOnBothEngines('a rolling limit', (store) => {
  const take = (subject: string): Promise<void> => store().transaction((tx) => takeLimit(tx, limit, subject))
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
      sql`update limit_uses set used_at = used_at - make_interval(secs => ${seconds}::int) where scope = ${`test:${subject}`}`.execute(
        tx,
      ),
    )

  it('lets exactly its count through when many come at once', async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => take('parallel')))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(await waitOf(lookAtLimit(store().db, limit, 'parallel'))).toBeGreaterThan(50)
  })

  it('does not count what was refused', async () => {
    for (let use = 0; use < 5; use++) await take('refused')
    expect(await waitOf(take('refused'))).toBeGreaterThan(50)
    await age('refused', 61)
    for (let use = 0; use < 5; use++) await take('refused')
    expect(await waitOf(take('refused'))).toBeGreaterThan(50)
  })

  it('opens one place at a time as the oldest use leaves the window', async () => {
    await take('rolling')
    await age('rolling', 50)
    for (let use = 0; use < 4; use++) await take('rolling')
    expect(await waitOf(take('rolling'))).toBeLessThanOrEqual(10)
    expect(await waitOf(lookAtLimit(store().db, limit, 'rolling'))).toBeLessThanOrEqual(10)
    await age('rolling', 11)
    await take('rolling')
    expect(await waitOf(take('rolling'))).toBeGreaterThan(30)
  })

  it('counts subjects apart', async () => {
    for (let use = 0; use < 5; use++) await take('one')
    await take('two')
    expect(await waitOf(lookAtLimit(store().db, limit, 'two'))).toBe(0)
  })
})
