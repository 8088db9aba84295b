import { expect, it } from 'vitest'
import { LimitError } from '../features/projects/limits.ts'
import { AppError } from '../lib/errors.ts'
import { createPool } from './pool.ts'
import type { Sharer } from './endpoint.ts'

const newPool = () =>
  createPool({ name: 'things', total: 120, unit: 'concurrent-requests', what: 'things', advice: 'wait' })

/** Takes one at a time until the pool refuses. */
function takeAll(pool: ReturnType<typeof newPool>, sharer: Sharer): { count: number; error: unknown } {
  const hold = pool.hold(sharer)
  for (let count = 0; ; count++)
    try {
      hold.take(1)
    } catch (error) {
      return { count, error }
    }
}

it('gives a single organization half, two of them a third each, and always leaves something', () => {
  const pool = newPool()
  expect(takeAll(pool, { organization: 'one' }).count).toBe(60)
  expect(takeAll(pool, { organization: 'two' }).count).toBe(30)
  for (let number = 3; number < 6; number++)
    expect(takeAll(pool, { organization: `${number}` }).count).toBeGreaterThan(2)
  const again = takeAll(pool, { organization: 'one' })
  expect(again.count).toBe(0)
  expect(again.error).toBeInstanceOf(LimitError)
  expect(again.error).toMatchObject({
    code: 'rate_limited',
    message: 'Too many things of this organization; wait',
  })
})

it('does not give one key or person all of its organization, nor one address all of a public key', () => {
  const pool = newPool()
  const first = { organization: 'one', project: 'docs', key: 'public', address: '192.0.2.1' }
  expect(takeAll(pool, first).count).toBe(24)
  expect(takeAll(pool, { ...first, address: '192.0.2.2' }).count).toBe(16)
  expect(takeAll(pool, { organization: 'one', project: 'other', key: 'own' }).count).toBeGreaterThan(0)
  const people = newPool()
  expect(takeAll(people, { organization: 'one', person: 'ada' }).count).toBe(40)
  expect(takeAll(people, { organization: 'one', person: 'grace' }).count).toBeGreaterThan(0)
})

it('counts nothing for unknown callers, and returns what was taken only once', () => {
  const pool = newPool()
  const hold = pool.hold({})
  hold.take(120)
  expect(takeAll(pool, { organization: 'one' }).error).toEqual(
    new AppError('unavailable', 'Too many things on this server; wait'),
  )
  hold.release()
  hold.release()
  expect(takeAll(pool, { organization: 'one' }).count).toBe(60)
})
