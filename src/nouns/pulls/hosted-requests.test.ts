import { expect, it } from 'vitest'
import { AppError } from '../../lib/errors.ts'
import type { MergeView } from '../../integrations/forges/merging.ts'
import type { OpenConnection } from '../../features/connections/open-connection.ts'
import { createHostedRequests } from './hosted-requests.ts'

const request: MergeView = {
  number: 1,
  link: 'https://h.example/1',
  state: 'open',
  head: 'a',
  base: 'main',
  title: 'A',
  body: '',
  headCommit: 'a'.repeat(40),
  baseCommit: 'b'.repeat(40),
  mergeCommit: undefined,
  createdAt: new Date('2026-01-01T00:00:00Z'),
  closedAt: undefined,
  styles: ['merge'],
}

function world(read: () => Promise<MergeView | undefined>) {
  const clock = { now: new Date('2026-01-01T00:00:00Z'), asked: 0 }
  const opened = {
    host: { name: 'GitHub' },
    hosted: { merging: { look: () => (clock.asked++, read()) } },
    connection: { revision: 1 },
  }
  const openConnection = (() => Promise.resolve(opened)) as unknown as OpenConnection
  return { clock, ask: createHostedRequests({ openConnection, now: () => clock.now }) }
}

it('asks a host once for many who look, and again half a minute later', async () => {
  const { clock, ask } = world(() => Promise.resolve(request))
  const found = await Promise.all([1, 2, 3].map(() => ask({ id: 'prj_1' }, 1)))
  expect([clock.asked, found[0]]).toEqual([1, { host: 'GitHub', request, at: clock.now, trouble: undefined }])
  clock.now = new Date(clock.now.getTime() + 31_000)
  await ask({ id: 'prj_1' }, 1)
  await ask({ id: 'prj_1' }, 2)
  expect(clock.asked).toBe(3)
})

it('says that a host is away, with what it said before', async () => {
  let away = false
  const { clock, ask } = world(() =>
    away ? Promise.reject(new AppError('unavailable', 'GitHub cannot be reached')) : Promise.resolve(request),
  )
  const before = await ask({ id: 'prj_1' }, 1)
  away = true
  clock.now = new Date(clock.now.getTime() + 60_000)
  expect(await ask({ id: 'prj_1' }, 1)).toEqual({ ...before, trouble: 'GitHub cannot be reached' })
  expect(await ask({ id: 'prj_1' }, 2)).toMatchObject({
    request: undefined,
    trouble: 'GitHub cannot be reached',
  })
})
