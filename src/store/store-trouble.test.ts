import { expect, it } from 'vitest'
import { StoreTrouble, findStoreTrouble, outlastTrouble, toStoreTrouble } from './store-trouble.ts'

function coded(code: string): Error {
  return Object.assign(new Error('x'), { code })
}

function kindOf(error: unknown): string | undefined {
  return findStoreTrouble(toStoreTrouble(error))?.kind
}

it.each([
  '57P01',
  '57P02',
  '57P03',
  '57P04',
  '57P05',
  '53200',
  '53300',
  '53400',
  '08P01',
  '08006',
  '08001',
  '25006',
  '25P03',
  'ECONNREFUSED',
  'EPIPE',
  'EAI_AGAIN',
])('takes %s for a database that is away', (code) => expect(kindOf(coded(code))).toBe('away'))

it.each(['57014', '40001', '40P01', '55P03'])('takes %s for one that is busy', (code) =>
  expect(kindOf(coded(code))).toBe('busy'),
)

it.each(['53100', 'ENOSPC'])('takes %s for one that is full', (code) =>
  expect(kindOf(coded(code))).toBe('full'),
)

it.each(['23505', '22P02', '42P01', '42501'])('leaves %s as it is', (code) => {
  const error = coded(code)
  expect(toStoreTrouble(error)).toBe(error)
})

it('looks into causes and into errors of several parts', () => {
  expect(kindOf(new Error('x', { cause: coded('57P01') }))).toBe('away')
  expect(kindOf(new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]))).toBe('away')
  expect(kindOf({ message: 'Connection terminated unexpectedly', stack: 'x' })).toBe('away')
  const wrapped = new Error('x', { cause: new StoreTrouble('away', coded('57P01')) })
  expect(toStoreTrouble(wrapped)).toBe(wrapped)
  expect(findStoreTrouble(wrapped)?.kind).toBe('away')
})

it('takes its own deadlines for a database that is busy', () => {
  expect(kindOf(new Error('Query read timeout'))).toBe('busy')
  expect(kindOf(new Error('timeout exceeded when trying to connect'))).toBe('busy')
})

it('knows a copy of its own by its name', () => {
  const own = Object.entries(new StoreTrouble('busy', undefined))
  expect(kindOf({ ...Object.fromEntries(own), message: 'x', queue: 'job' })).toBe('busy')
})

it('takes no connection that somebody else refused for its own', () => {
  expect(findStoreTrouble(coded('ECONNREFUSED'))).toBeUndefined()
})

it('does work again until the trouble is over, and not when it fails for another reason', async () => {
  let tries = 0
  const done = await outlastTrouble(new AbortController().signal, async () => {
    tries++
    if (tries < 3) throw new StoreTrouble('away', undefined)
    return 'done'
  })
  expect([done, tries]).toEqual(['done', 3])
  const wrong = new Error('wrong')
  await expect(outlastTrouble(new AbortController().signal, () => Promise.reject(wrong))).rejects.toBe(wrong)
})

it('stops to wait when the signal says so', async () => {
  const stopping = new AbortController()
  const waiting = outlastTrouble(stopping.signal, () => Promise.reject(new StoreTrouble('away', undefined)))
  stopping.abort()
  await expect(waiting).rejects.toThrow('aborted')
})
