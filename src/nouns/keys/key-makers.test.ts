import { expect, it } from 'vitest'
import type { UsedKey } from '../../features/projects/used-key.ts'
import { requireNoMore, type NewKey } from './table.ts'

const maker: UsedKey = {
  id: 'key_1',
  kind: 'admin',
  organizationId: 'org_1',
  projectId: undefined,
  origins: [],
  scopes: ['keys', 'jobs:read'],
  addresses: [],
  lastUsedAt: undefined,
  expiresAt: undefined,
  askedOnSite: false,
}

function makes(key: Partial<NewKey>, by: Partial<UsedKey> = {}): boolean {
  try {
    requireNoMore({ ...maker, ...by }, { kind: 'admin', organizationId: 'org_1', ...key })
    return true
  } catch {
    return false
  }
}

it('gives no scope that the key lacks, also not by naming none', () => {
  expect(makes({ scopes: ['jobs:read'] })).toBe(true)
  expect(makes({ scopes: ['jobs:read', 'keys'] })).toBe(true)
  expect(makes({ scopes: ['jobs:write'] })).toBe(false)
  expect(makes({ scopes: [] })).toBe(false)
  expect(makes({})).toBe(false)
  expect(makes({ kind: 'assistant', projectId: 'prj_1' })).toBe(true)
})

it('gives no more addresses and no more time than the key has', () => {
  const scopes = ['jobs:read']
  const addresses = ['203.0.113.0/24', '192.0.2.1']
  expect(makes({ scopes, addresses: ['192.0.2.1'] }, { addresses })).toBe(true)
  expect(makes({ scopes }, { addresses })).toBe(false)
  expect(makes({ scopes, addresses: ['192.0.2.2'] }, { addresses })).toBe(false)
  expect(makes({ kind: 'assistant', projectId: 'prj_1' }, { addresses })).toBe(false)
  const [soon, later] = [new Date(1_000_000), new Date(2_000_000)]
  expect(makes({ scopes, expiresAt: soon }, { expiresAt: later })).toBe(true)
  expect(makes({ scopes, expiresAt: later }, { expiresAt: soon })).toBe(false)
  expect(makes({ scopes }, { expiresAt: soon })).toBe(false)
})
