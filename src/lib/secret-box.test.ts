import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { openSecret, sealSecret } from './secret-box.ts'

const key = randomBytes(32)

it('opens with its key and for its owner alone', () => {
  const sealed = sealSecret(key, 'whk_1', 'whsec_käse')
  expect(openSecret(key, 'whk_1', sealed)).toBe('whsec_käse')
  expect(sealed).not.toBe(sealSecret(key, 'whk_1', 'whsec_käse'))
  for (const open of [
    () => openSecret(randomBytes(32), 'whk_1', sealed),
    () => openSecret(key, 'whk_2', sealed),
    () => openSecret(key, 'whk_1', `${sealed.slice(0, -4)}AAAA`),
    () => openSecret(key, 'whk_1', sealed.slice(0, 12)),
    () => openSecret(key, 'whk_1', ''),
  ])
    expect(open).toThrow(/another key/)
})
