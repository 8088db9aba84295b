import { buffer, text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { createMadeTexts } from './made-texts.ts'

const place = { projectId: 'p', file: 'llms-full.txt', version: '1' }

/** Counts how often a text is made, which cannot be compressed much. */
function counted(size = 100_000) {
  const made: string[] = []
  const make = (name: string) =>
    async function* () {
      made.push(name)
      for (let n = 0; n < 10; n++) {
        await Promise.resolve()
        yield `${name} ${randomText(size / 10)}`
      }
    }
  return { made, make }
}

function randomText(length: number): string {
  return Array.from({ length: Math.ceil(length / 10) }, () => Math.random().toString(36).slice(2, 12)).join(
    '',
  )
}

it('makes a text once, for those who come meanwhile and afterwards, compressed or not', async () => {
  const texts = createMadeTexts()
  const { made, make } = counted()
  const read = (encoding: 'gzip' | 'identity') => texts.read(place, encoding, make('a'))
  const [first, second] = await Promise.all([text(read('identity')), buffer(read('gzip'))])
  expect(first.startsWith('a ')).toBe(true)
  expect(gunzipSync(second).toString()).toBe(first)
  expect(await text(read('identity'))).toBe(first)
  expect(made).toEqual(['a'])
})

it('makes another version again, and forgets the one before', async () => {
  const texts = createMadeTexts()
  const { made, make } = counted()
  const read = (version: string) => text(texts.read({ ...place, version }, 'identity', make(version)))
  for (const version of ['1', '2', '2', '1'])
    expect((await read(version)).startsWith(`${version} `)).toBe(true)
  expect(made).toEqual(['1', '2', '1'])
})

it('is not made again because a reader left', async () => {
  const texts = createMadeTexts()
  const { made, make } = counted()
  for (const encoding of ['gzip', 'identity'] as const) {
    const left = texts.read(place, encoding, make('a'))
    await left[Symbol.asyncIterator]().next()
    left.destroy()
  }
  expect((await text(texts.read(place, 'identity', make('a')))).length).toBeGreaterThan(90_000)
  expect(made).toEqual(['a'])
})

it('keeps no more than its bound, those that were read last', async () => {
  const texts = createMadeTexts({ most: 150_000 })
  const { made, make } = counted(100_000)
  const read = (projectId: string) => text(texts.read({ ...place, projectId }, 'identity', make(projectId)))
  for (const projectId of ['a', 'b', 'a', 'c', 'a', 'b']) await read(projectId)
  expect(made).toEqual(['a', 'b', 'c', 'b'])
})

it('forgets a text that nobody reads any more', async () => {
  const texts = createMadeTexts({ idle: 1 })
  const { made, make } = counted(1000)
  await text(texts.read(place, 'identity', make('a')))
  await new Promise((done) => setTimeout(done, 50))
  await text(texts.read(place, 'identity', make('b')))
  expect(made).toEqual(['a', 'b'])
})

it('tells every reader of a text that cannot be made, and tries again for the next one', async () => {
  const texts = createMadeTexts()
  const failing = async function* () {
    yield 'some'
    await Promise.resolve()
    throw new Error('The database is away')
  }
  const readers = (['gzip', 'identity'] as const).map((encoding) =>
    buffer(texts.read(place, encoding, failing)),
  )
  for (const reader of readers) await expect(reader).rejects.toThrow('The database is away')
  const { make } = counted(1000)
  expect((await text(texts.read(place, 'identity', make('a')))).startsWith('a ')).toBe(true)
})
