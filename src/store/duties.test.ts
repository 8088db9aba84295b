import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { describeOnBothEngines } from '../../tests/stores.ts'
import { createDuties, takeDuties } from './duties.ts'

describeOnBothEngines('a duty', (store) => {
  it('is had by one process, which keeps it until it ends', async () => {
    const take = async (holder: string, names: string[]) => (await takeDuties(store(), holder, names)).held
    expect(await takeDuties(store(), 'first', ['a', 'b'])).toEqual({ held: ['a', 'b'], freeIn: undefined })
    const { held, freeIn } = await takeDuties(store(), 'second', ['a', 'b', 'c'])
    expect(held).toEqual(['c'])
    expect(freeIn).toBeGreaterThan(0)
    expect(freeIn).toBeLessThanOrEqual(10_050)
    expect(await take('first', ['a', 'b'])).toEqual(['a', 'b'])
    await store().transaction((tx) =>
      sql`update duties set held_until = now() - interval '1 second' where holder = 'first'`.execute(tx),
    )
    expect(await take('second', ['a', 'b', 'c'])).toEqual(['a', 'b', 'c'])
    expect(await take('first', ['a', 'b'])).toEqual([])
  })

  it('goes to another process at once when the one that has it stops', async () => {
    const stopping = [new AbortController(), new AbortController()] as const
    const errors: unknown[] = []
    const report = (error: unknown): void => void errors.push(error)
    const first = createDuties(store(), () => ['sweep'], stopping[0].signal, report)
    await vi.waitFor(() => expect(first.has('sweep')).toBe(true), { timeout: 60_000 })
    const second = createDuties(store(), () => ['sweep', 'other'], stopping[1].signal, report)
    await vi.waitFor(() => expect(second.has('other')).toBe(true), { timeout: 60_000 })
    expect(second.has('sweep')).toBe(false)
    stopping[0].abort()
    expect(first.has('sweep')).toBe(false)
    await vi.waitFor(() => expect(second.has('sweep')).toBe(true), { timeout: 60_000 })
    stopping[1].abort()
    expect(errors).toEqual([])
  })
})
