import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { openSecret, sealSecret } from './secret-box.ts'

const key = [randomBytes(32)] as const

it('opens with its key and for its owner alone', () => {
  const sealed = sealSecret(key, 'whk_1', 'whsec_käse')
  expect(openSecret(key, 'whk_1', sealed)).toBe('whsec_käse')
  expect(sealed).not.toBe(sealSecret(key, 'whk_1', 'whsec_käse'))
  for (const open of [
    () => openSecret([randomBytes(32)], 'whk_1', sealed),
    () => openSecret(key, 'whk_2', sealed),
    () => openSecret(key, 'whk_1', `${sealed.slice(0, -4)}AAAA`),
    () => openSecret(key, 'whk_1', sealed.slice(0, 12)),
    () => openSecret(key, 'whk_1', ''),
  ])
    expect(open).toThrow(/another key/)
})

it('opens with earlier keys too, and seals with the first alone', () => {
  const next = [randomBytes(32), ...key] as const
  expect(openSecret(next, 'whk_1', sealSecret(key, 'whk_1', 'old'))).toBe('old')
  const sealed = sealSecret(next, 'whk_1', 'new')
  expect(openSecret([next[0]], 'whk_1', sealed)).toBe('new')
  expect(() => openSecret(key, 'whk_1', sealed)).toThrow(/DOCWRIGHT_SECRET_KEY_PREVIOUS/)
})
