import { expect, it } from 'vitest'
import { mapStream } from './map-stream.ts'

const read = async <T>(stream: ReadableStream<T>): Promise<T[]> => {
  const pieces: T[] = []
  for await (const piece of stream) pieces.push(piece)
  return pieces
}

/** Counts without an end. */
function endless(): { stream: ReadableStream<number>; cancelled: Promise<unknown> } {
  const { promise: cancelled, resolve } = Promise.withResolvers<unknown>()
  let n = 0
  const stream = new ReadableStream<number>({
    pull: (controller) => controller.enqueue(n++),
    cancel: resolve,
  })
  return { stream, cancelled }
}

it('maps pieces in order, leaves some out, and ends as it is told', async () => {
  const odd = (n: number): string | undefined => (n % 2 === 1 ? `${n}` : undefined)
  const mapped = mapStream(ReadableStream.from([1, 2, 3, 4]), odd, () => 'end')
  expect(await read(mapped)).toEqual(['1', '3', 'end'])
  expect(await read(mapStream(ReadableStream.from([2]), odd, () => undefined))).toEqual([])
})

it('tells its source when nobody reads on, and when a piece cannot be mapped', async () => {
  const left = endless()
  for await (const n of mapStream(
    left.stream,
    (piece) => piece,
    () => undefined,
  ))
    if (n === 2) break
  await left.cancelled

  const refused = endless()
  const error = new Error('not this one')
  const refusing = mapStream(
    refused.stream,
    (piece) => {
      if (piece === 2) throw error
      return piece
    },
    () => undefined,
  )
  await expect(read(refusing)).rejects.toBe(error)
  expect(await refused.cancelled).toBe(error)
})

it('fails as its source does', async () => {
  const error = new Error('cut')
  const failing = new ReadableStream<number>({ pull: (controller) => controller.error(error) })
  await expect(
    read(
      mapStream(
        failing,
        (piece) => piece,
        () => undefined,
      ),
    ),
  ).rejects.toBe(error)
})
