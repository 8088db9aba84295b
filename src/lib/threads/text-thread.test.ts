import { expect, it } from 'vitest'
import type { Echo } from '../../../tests/worlds/echo.ts'
import { ThreadFailure, createTextThread } from './text-thread.ts'

const module = new URL('../../../tests/worlds/echo.ts', import.meta.url)

function openThread(deadline = 2000) {
  return createTextThread<Echo>(module, { deadline, memory: 64 })
}

it('answers tasks in their order', async () => {
  const thread = openThread()
  const answers = await Promise.all(['one', 'two', 'three'].map((text) => thread.run({ kind: 'echo', text })))
  expect(answers).toEqual(['one', 'two', 'three'])
  expect(thread.load).toBe(0)
})

it('ends a text that takes too long, names it, and goes on with the next', async () => {
  const thread = openThread(500)
  const late = thread.run({ kind: 'spin', text: 'guides/bad.md' })
  const next = thread.run({ kind: 'echo', text: 'good' })
  await expect(late).rejects.toMatchObject({ reason: 'late', text: 'guides/bad.md' })
  await expect(next).resolves.toBe('good')
})

it('does not count what it waits for against a text', async () => {
  const thread = openThread(300)
  const answer = await thread.run(
    { kind: 'ask', text: 'name' },
    { answer: (request) => new Promise((resolve) => setTimeout(resolve, 1200, `${request}!`)) },
  )
  expect(answer).toBe('name!')
})

it('gives every text its own time, and the task its own when there is one', async () => {
  const thread = openThread(1000)
  await expect(thread.run({ kind: 'many', text: 'page' })).resolves.toBe('page')
  await expect(thread.run({ kind: 'many', text: 'page' }, { total: 500 })).rejects.toMatchObject({
    reason: 'late',
  })
})

it('names the text that used up its memory', async () => {
  const thread = openThread(60_000)
  await expect(thread.run({ kind: 'grow', text: 'huge.md' })).rejects.toMatchObject({
    reason: 'memory',
    text: 'huge.md',
  })
  await expect(thread.run({ kind: 'echo', text: 'good' })).resolves.toBe('good')
})

it('hands over what a task throws, with its code', async () => {
  const thread = openThread()
  await expect(thread.run({ kind: 'throw', text: 'no such page' })).rejects.toMatchObject({
    code: 'not_found',
    message: 'no such page',
  })
  await expect(thread.run({ kind: 'echo', text: 'good' })).resolves.toBe('good')
})

it('lets nobody wait who was told to stop', async () => {
  const thread = openThread()
  const stop = new AbortController()
  const running = thread.run({ kind: 'spin', text: 'page' }, { signal: stop.signal })
  stop.abort(new Error('stopped'))
  await expect(running).rejects.toThrow('stopped')
  thread.stop()
})

it('fails what runs when it is stopped', async () => {
  const thread = openThread()
  const running = thread.run({ kind: 'spin', text: 'page' })
  setTimeout(() => thread.stop(), 200)
  await expect(running).rejects.toBeInstanceOf(ThreadFailure)
})
