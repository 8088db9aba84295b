import { expect, it } from 'vitest'
import { textUpTo } from './text-up-to.ts'

it('counts characters as code points, not as UTF-16 units, and says its limit', () => {
  const text = textUpTo(100_000, 'must be text').min(1)
  const accepts = (value: string): boolean => text.safeParse(value).success
  expect(accepts('😀'.repeat(100_000))).toBe(true)
  expect(accepts('😀'.repeat(100_001))).toBe(false)
  expect(accepts('a\n'.repeat(50_000))).toBe(true)
  expect(accepts('')).toBe(false)
  expect(text.describe('Of a job').optional().unwrap().maxLength).toBe(100_000)
})
