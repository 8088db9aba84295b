import { expect, it } from 'vitest'
import { messageBody } from './contract.ts'

it('counts the characters of a prompt as code points, not as UTF-16 units', () => {
  const accepts = (prompt: string): boolean => messageBody.safeParse({ prompt }).success
  expect(accepts('😀'.repeat(100_000))).toBe(true)
  expect(accepts('😀'.repeat(100_001))).toBe(false)
  expect(accepts('a\n'.repeat(50_000))).toBe(true)
  expect(accepts('')).toBe(false)
})
