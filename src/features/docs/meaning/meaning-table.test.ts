import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { meaningTable } from './meaning-table.ts'
import { poolRows } from './pool-rows.ts'
import { createPieceReader } from './word-pieces.ts'

// As the program that made the table reads it (scripts/meaning).
const expected = JSON.parse(
  readFileSync(new URL('../../../../tests/fixtures/meaning-vectors.json', import.meta.url), 'utf8'),
) as { text: string; ids: number[]; vector: number[] }[]

it.each(expected)('reads pieces and vector of "$text" as whoever made the table', ({ text, ids, vector }) => {
  const table = meaningTable()
  const pieces = createPieceReader(table).read(text)
  expect(pieces).toEqual(ids)
  const pooled = poolRows(table, pieces)
  vector.forEach((value, at) => expect(pooled[at]).toBeCloseTo(value, 4))
})
