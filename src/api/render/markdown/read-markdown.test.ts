import { expect, it } from 'vitest'
import { createMarkdownReader } from './read-markdown.ts'

/**
 * Keeps the parser busy for seconds, and is just small enough to be parsed at all. Another number makes another
 * text.
 */
const hostile = (number = 0): string => `${number} ${'_a*b '.repeat(9000)}`

/** Milliseconds of work, which each such text takes: enough for one that is fine. */
const deadline = 250

const reader = (...times: Parameters<typeof createMarkdownReader>) => {
  const read = createMarkdownReader(...times)
  return (projectId: string, markdown: string, mdx = false) =>
    read({ projectId, markdown, mdx, printed: { form: 'text' } })
}

it('gives up on text that keeps the parser busy, and goes on with the next one', async () => {
  const read = reader(deadline, 60_000)
  const late = read('one', hostile())
  const honest = read('one', '# Fine')
  expect(await late).toBeUndefined()
  expect(await honest).toBe('<h3>Fine</h3>')
})

it('colours code', async () => {
  expect(await reader(60_000, 60_000)('one', '```js\nconst a\n```')).toContain('s-k')
})

it('prints large tables outside the main thread', async () => {
  const read = reader(60_000, 60_000)
  await read('one', '| a |\n|---|\n| b |')
  const row = (cell: string): string => `|${` ${cell} |`.repeat(100)}\n`
  const before = { own: process.threadCpuUsage(), all: process.cpuUsage() }
  const text = await read('one', `${row('a')}${row('---')}${row('`b`').repeat(150)}`)
  expect(text?.match(/<td>/g)).toHaveLength(15_000)
  // Microseconds of this thread, and of all threads.
  const own = process.threadCpuUsage(before.own).user
  expect(own).toBeLessThan(process.cpuUsage(before.all).user / 5)
})

it('refuses a text that is nested too deeply or too large', async () => {
  const read = reader(60_000, 60_000)
  expect(await read('one', '> '.repeat(50_000))).toBeUndefined()
  expect(await read('one', '- '.repeat(50_000))).toBeUndefined()
  expect(await read('one', 'a'.repeat(600_000))).toBeUndefined()
  expect(await read('one', '<A>\n'.repeat(20_000), true)).toBeDefined()
})

it('reads a page while another project has many that take too long', async () => {
  const read = reader(deadline, 60_000)
  let late = 0
  const pages = 4
  const all = Array.from({ length: pages }, async (_, number) => {
    expect(await read('one', hostile(number))).toBeUndefined()
    late++
  })
  expect(await read('two', '# Fine')).toBeDefined()
  // The last page did not wait for the earlier ones.
  expect(late).toBeLessThan(pages)
  await Promise.all(all)
})

it('parses the same text once for all callers', async () => {
  const read = reader(deadline, 60_000)
  const before = process.cpuUsage()
  const late = await Promise.all(Array.from({ length: 20 }, () => read('one', hostile())))
  expect(late.every((text) => text === undefined)).toBe(true)
  // Microseconds: twenty of them, one after the other, would take ten seconds.
  expect(process.cpuUsage(before).user).toBeLessThan(5_000_000)
  const [first, second] = await Promise.all([read('one', '# Fine'), read('one', '# Fine')])
  expect([first, second]).toEqual(['<h3>Fine</h3>', '<h3>Fine</h3>'])
})

it('does not retry a text at once that took too long', async () => {
  const read = reader(deadline)
  await read('one', hostile())
  const again = read('one', hostile()).then(() => 'at once')
  expect(await Promise.race([again, new Promise((turn) => setImmediate(turn))])).toBe('at once')
})

it('limits the time that callers wait', async () => {
  const read = reader(deadline, 200)
  const late = read('one', hostile())
  expect(await read('one', '# Fine')).toBeUndefined()
  await late
  expect(await read('one', '# Fine')).toBeDefined()
})
