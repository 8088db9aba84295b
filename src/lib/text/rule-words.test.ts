import { expect, it } from 'vitest'
import { z } from 'zod'
import './rule-words.ts'

it.each([
  [z.coerce.number(), 'x', 'must be a number'],
  [z.number(), undefined, 'is required'],
  [z.string(), null, 'must be a string'],
  [z.int(), 1.5, 'must be an integer'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.object({}), [], 'must be an object'],
  [z.array(z.string()).min(1), [], 'must not be empty'],
  [z.array(z.string()).max(1), ['a', 'b'], 'must hold at most 1 item'],
  [z.string().min(3), 'a', 'must hold at least 3 characters'],
  [z.number().positive(), 0, 'must be over 0'],
  [z.number().max(5), 6, 'must be at most 5'],
  [z.enum(['a', 'b', 'c']), 'd', 'must be "a", "b" or "c"'],
  [z.literal('x'), 'y', 'must be "x"'],
  [z.iso.datetime(), 'now', 'must be a time in UTC, for example 2026-11-27T09:30:00Z'],
  [z.url(), 'here', 'must be a URL'],
  [z.string().regex(/^a$/), 'b', 'has an invalid format'],
  [z.strictObject({}), { a: 1 }, 'has unknown fields: "a"'],
  [z.union([z.string(), z.array(z.string())]), 1, 'must be a string or an array'],
  [z.union([z.string(), z.object({ a: z.string() })]), {}, 'has none of the possible forms'],
  [z.string().refine(() => false), 'a', 'is not valid'],
  [z.string('must be mine'), 1, 'must be mine'],
])('says what is wrong in plain words: %#', (schema, value, words) => {
  expect(schema.safeParse(value).error?.issues[0]?.message).toBe(words)
})
