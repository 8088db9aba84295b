import { z } from 'zod'
import { expect, it } from 'vitest'
import { eventAnswer, jobBody } from '../nouns/jobs/answers.ts'
import { projectAnswer } from '../nouns/projects/answers.ts'
import { readAnswer } from './read-answer.ts'

const schema = z.object({
  id: z.string(),
  state: z.enum(['open', 'closed']),
  at: z.iso.datetime().nullable(),
  pages: z.int().max(10),
  site: z.string().refine((text) => text.startsWith('https:')),
  files: z.array(z.object({ path: z.string(), kind: z.enum(['page', 'image']) })),
})
const answer = {
  id: 'a',
  state: 'open',
  at: null,
  pages: 3,
  site: 'https://a.example',
  files: [{ path: 'a.md', kind: 'page' }],
}
const read = (value: unknown): unknown => readAnswer(schema, value, 'GET /things')

it('gives the answer of a server of this version as it came', () => {
  expect(read(answer)).toEqual(answer)
})

it('takes fields, words and limits that only a newer server knows, and passes them on', () => {
  const newer = {
    ...answer,
    state: 'merged',
    at: '2026-01-31',
    pages: 12,
    site: 'gopher://a.example',
    owner: 'me',
    files: [{ path: 'a.md', kind: 'video', bytes: 3 }],
  }
  expect(read(newer)).toEqual(newer)
})

it('says in one line which field of another server it does not know', () => {
  const { pages: _pages, ...older } = answer
  expect(() => read(older)).toThrow(
    /^The server answered GET \/things in a way that this command of version [\d.]+ does not know \(`pages` is required\): use the command of the server’s version$/,
  )
  expect(() => read({ ...answer, files: [{ path: 1, kind: 'page' }] })).toThrow(
    '`files.0.path` must be a string',
  )
  expect(() => read({ ...answer, state: 3 })).toThrow('`state` must be "open" or "closed"')
  expect(() => read({ ...answer, state: 'new', files: {} })).toThrow('`files` must be an array')
  expect(() => read(undefined)).toThrow('(it is not JSON)')
  expect(() => read([answer])).toThrow('it must be an object')
})

it('takes either form of a value that may have two', () => {
  const either = z.object({ value: z.union([z.object({ kind: z.literal('a'), a: z.string() }), z.int()]) })
  const take = (value: unknown) => readAnswer(either, { value }, 'GET /')
  expect(take(1)).toEqual({ value: 1 })
  expect(take({ kind: 'b', a: 'x' })).toEqual({ value: { kind: 'b', a: 'x' } })
  expect(() => take('x')).toThrow('`value` must be an object or a number')
})

it('lets a command go on with settings, events and states that it does not know', () => {
  expect(projectAnswer.shape.settings.safeParse({ newOne: { deep: [1] } }).success).toBe(true)
  const event = {
    id: 1,
    turn: 1,
    type: 'turn.dreamt',
    data: { of: 'sheep' },
    createdAt: '2026-01-31T12:00:00Z',
  }
  expect(readAnswer(eventAnswer, event, 'GET /events')).toBe(event)
  const state = jobBody.pick({ state: true })
  expect(readAnswer(state, { state: 'dreaming' }, 'GET /job')).toEqual({ state: 'dreaming' })
})
