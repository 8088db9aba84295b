import { brotliCompressSync, gzipSync } from 'node:zlib'
import { OpenAPIHono } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import { AppError } from '../lib/errors.ts'
import type { App, Sharer } from './endpoint.ts'
import { readBytes } from './read-bytes.ts'

const mebibyte = 1024 * 1024

const app: App = new OpenAPIHono()
app.post('/:project', async (context) => {
  const sharer: Sharer = { project: context.req.param('project'), key: context.req.query('key') }
  const milliseconds = Number(context.req.query('timeout') ?? 60_000)
  const timeouts = { idle: milliseconds, start: milliseconds, bytesPerSecond: 1e6, total: 120_000 }
  try {
    const body = await readBytes(context, { limit: 16 * mebibyte, sharer, timeouts })
    return context.text(String(body.byteLength))
  } catch (error) {
    if (error instanceof AppError) return context.text(error.code)
    throw error
  }
})

const send = async (path: string, body: ReadableStream<Uint8Array> | string): Promise<string> =>
  (await app.request(path, { method: 'POST', body, duplex: 'half' })).text()

/** A body that stops after `bytes` until it is released. */
function stuck(bytes: number): { body: ReadableStream<Uint8Array>; letGo: () => void; taken: Promise<void> } {
  const [gone, letGo] = promiseOf()
  const [taken, noteTaken] = promiseOf()
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(new Uint8Array(bytes)),
      async pull(controller) {
        noteTaken()
        await gone
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { body, letGo, taken }
}

/** A body that sends one byte at a time. */
function trickling(every: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, every))
      controller.enqueue(new Uint8Array(1))
    },
  })
}

function promiseOf(): [Promise<void>, () => void] {
  const { promise, resolve } = Promise.withResolvers<void>()
  return [promise, resolve]
}

const two = 'x'.repeat(2 * mebibyte)

it('leaves room for others, however many unfinished bodies one client sends', async () => {
  const one = Array.from({ length: 9 }, () => stuck(15 * mebibyte))
  const other = Array.from({ length: 9 }, () => stuck(15 * mebibyte))
  const answers = [
    ...one.map(({ body }) => send('/prj_one', body)),
    ...other.map(({ body }) => send('/prj_two', body)),
  ]
  // Two of the nine bodies fit beside the others; the rest is refused at once.
  const settled = await Promise.all(answers.slice(2, 9))
  expect(new Set(settled)).toEqual(new Set(['rate_limited']))
  await Promise.all(one.slice(0, 2).map(({ taken }) => taken))
  const more = Array.from({ length: 20 }, () => stuck(mebibyte))
  const refused = more.map(({ body }) => send('/prj_one', body))
  expect(await refused.at(-1)).toBe('rate_limited')
  expect(await send('/prj_three', two)).toBe(String(two.length))
  expect(await send('/prj_one', two)).toBe('rate_limited')
  expect(await send('/prj_one', 'x'.repeat(10_000))).toBe('10000')
  for (const { letGo } of [...one, ...other, ...more]) letGo()
  await Promise.all([...answers, ...refused])
  expect(await send('/prj_one', two)).toBe(String(two.length))
})

it('gives up on a body that stops', async () => {
  expect(await send('/prj_one?timeout=100', stuck(1000).body)).toBe('invalid')
})

it('gives up on a body that comes byte by byte', async () => {
  expect(await send('/prj_one?timeout=300', trickling(20))).toBe('invalid')
})

it.each([
  ['gzip', gzipSync('hello'), '5'],
  ['x-GZip', gzipSync('hello'), '5'],
  ['identity', Buffer.from('hello'), '5'],
  ['gzip', Buffer.from('hello'), 'invalid'],
  ['gzip', gzipSync('hello'.repeat(1000)).subarray(0, 20), 'invalid'],
  ['gzip', gzipSync(Buffer.alloc(17 * mebibyte)), 'too_large'],
  ['br', brotliCompressSync('hello'), 'unsupported'],
  ['gzip, gzip', gzipSync(gzipSync('hello')), 'unsupported'],
])('unpacks a body within the limits: %s %#', async (encoding, body, answer) => {
  const headers = { 'content-encoding': encoding }
  const response = await app.request('/prj_one', { method: 'POST', body: new Uint8Array(body), headers })
  expect(await response.text()).toBe(answer)
})
