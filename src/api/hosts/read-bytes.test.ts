import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { AppError } from '../../lib/errors.ts'
import { readBytes } from './read-bytes.ts'

const mebibyte = 1024 * 1024

const app = new Hono().post('/:who', async (context) => {
  const deadline = Number(context.req.query('deadline') ?? 60_000)
  try {
    const body = await readBytes(context, { limit: 5 * mebibyte, who: context.req.param('who'), deadline })
    return context.text(String(body.byteLength))
  } catch (error) {
    if (error instanceof AppError) return context.text(error.code)
    throw error
  }
})

const send = async (path: string, body: ReadableStream<Uint8Array> | string): Promise<string> =>
  (await app.request(path, { method: 'POST', body, duplex: 'half' })).text()

/** A body that comes as far as `bytes` and then no further, until it is let go. */
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

function promiseOf(): [Promise<void>, () => void] {
  const { promise, resolve } = Promise.withResolvers<void>()
  return [promise, resolve]
}

it('leaves room for others, however many bodies somebody begins and does not end', async () => {
  const bodies = Array.from({ length: 14 }, () => stuck(4.9 * mebibyte))
  const answers = bodies.map(({ body }) => send('/prj_one', body))
  await Promise.all([answers[13], ...bodies.slice(0, 3).map(({ taken }) => taken)])
  expect(await send('/prj_one', 'x'.repeat(2 * mebibyte))).toBe('unavailable')
  expect(await send('/prj_two', 'x'.repeat(2 * mebibyte))).toBe(String(2 * mebibyte))
  for (const { letGo } of bodies) letGo()
  await Promise.all(answers)
  expect(await send('/prj_one', 'x'.repeat(2 * mebibyte))).toBe(String(2 * mebibyte))
})

it('does not wait for a body for ever', async () => {
  const { body } = stuck(1000)
  expect(await send('/prj_one?deadline=20', body)).toBe('invalid')
})
