import { expect, test } from 'vitest'
import { answerQuestion } from './answer-question.ts'

const page = (title: string, content: string) => ({
  path: title.toLowerCase(),
  url: `/docs/${title.toLowerCase()}`,
  title,
  heading: '',
  content,
})

const judged = (text: string, results: ReturnType<typeof page>[]) => {
  const output = { ok: true as const, value: { results, near: [] } }
  const calls = [{ id: 'first-search', tool: 'search', input: { query: text }, output }]
  const { content, judgement } = answerQuestion({ asked: [text], said: '', calls }, false)
  const [said] = content
  return { outcome: judgement?.outcome, text: said?.type === 'text' ? said.text : '' }
}

const trace = `Traceback (most recent call last):
  File "/app/fetch.py", line 12, in <module>
    fetch(address)
  File "/app/lanes.py", line 70, in fetch
    raise PoolTimeoutError(seconds)
lanes.PoolTimeoutError: gave up after 30 s on worker seventeen of zone north`

test('of a command and the error below it, the error is asked for', () => {
  const command = page('Sync', 'Run `tide sync` to sync all lanes of a tide with the server.')
  const failed = page(
    'Troubles',
    'Cannot reach the lock: another worker holds it. Wait, or release the lock.',
  )
  const { text } = judged('$ tide sync\nError: cannot reach the lock', [command, failed])
  expect(text).toMatch(/another worker/)
  expect(text).not.toMatch(/Run `tide/)
})

test('a pasted error is answered where its name stands in the documentation, in whatever words', () => {
  const errors = page('Errors', 'Every lane is taken: `PoolTimeoutError`. Raise the size of the pool.')
  const pools = page('Pools', 'A pool has a size. Its timeout is a number of seconds.')
  expect(judged(trace, [pools, errors])).toMatchObject({
    outcome: 'answered',
    text: expect.stringContaining('Raise the size of the pool'),
  })
  expect(judged(trace, [pools]).outcome).not.toBe('answered')
})

test('one line is read as what a program wrote where it has a code', () => {
  const codes = page('Codes', 'E4021 means that the key has expired. Make another one.')
  expect(judged('lanes: fatal E4021: cannot push 3 records to zone north', [codes]).outcome).toBe('answered')
})

test('what is documented under its own name is meant before lines that are like other pages', () => {
  const codes = page('Codes', 'lane_is_locked: another worker holds it. Release the lock.')
  const objects = page(
    'Objects',
    'An error has a message, a code and a type. The message of the lane is invalid.',
  )
  const { text } = judged(
    '{"message":"The lane of the message is invalid","code":"lane_is_locked","type":"lane"}',
    [objects, codes],
  )
  expect(text).toMatch(/Release the lock/)
})
