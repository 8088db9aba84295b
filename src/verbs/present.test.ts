import { z } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import { present } from './present.ts'

const place = z.object({ path: z.string(), line: z.int().nullable() })
const answer = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
    places: z.array(place),
    first: place.nullable(),
    counts: z.record(z.string(), z.int()),
    note: z.string().optional(),
    source: z.looseObject({ url: z.string() }),
  })
  .openapi('Presented', { description: 'An answer.' })

const record = {
  id: 'a',
  at: new Date(0),
  places: [{ path: 'a.md', hash: 'secret' }],
  first: { path: 'b.md', line: 3, hash: 'secret' },
  counts: { x: 1 },
  source: { url: '/a', title: 'A' },
  hash: 'secret',
}

it('answers with the fields of the schema alone, at any depth, and in its order', () => {
  expect(JSON.stringify(present(answer, record))).toBe(
    JSON.stringify({
      id: 'a',
      at: '1970-01-01T00:00:00.000Z',
      endedAt: null,
      places: [{ path: 'a.md', line: null }],
      first: { path: 'b.md', line: 3 },
      counts: { x: 1 },
      source: { url: '/a', title: 'A' },
    }),
  )
})

it('says null for a record that is absent where the schema allows it, and leaves out what may be left out', () => {
  expect(present(answer.nullable(), null)).toBeNull()
  expect(present(answer, { ...record, first: undefined, endedAt: new Date(1) })).toMatchObject({
    first: null,
    endedAt: '1970-01-01T00:00:00.001Z',
  })
  expect(present(answer, record)).not.toHaveProperty('note')
})
