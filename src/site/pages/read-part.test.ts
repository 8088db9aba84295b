import { expect, it } from 'vitest'
import { readPart, type ReadablePart } from './read-part.ts'

const section = (level: number, heading: string, text: string): ReadablePart => ({
  level,
  heading,
  anchor: heading === '' ? undefined : heading.toLowerCase(),
  text: heading === '' ? text : `${'#'.repeat(level)} ${heading}\n\n${text}`,
})

const page = [
  section(0, '', 'Begin.'),
  section(2, 'Install', 'Run it.'),
  section(3, 'Linux', 'With apt.'),
  section(2, 'Limits', 'Ten.'),
]

it('reads a short page as a whole', () => {
  expect(readPart(page, { budget: 1000 })).toEqual({
    text: 'Begin.\n\n## Install\n\nRun it.\n\n### Linux\n\nWith apt.\n\n## Limits\n\nTen.',
    others: [],
  })
})

it('reads a section with those below it, and names the others', () => {
  const { text, next, others } = readPart(page, { anchor: 'Install', budget: 1000 }) ?? {}
  expect(text).toBe('## Install\n\nRun it.\n\n### Linux\n\nWith apt.')
  expect(next).toBeUndefined()
  expect(others).toEqual([{ anchor: 'limits', level: 2, heading: 'Limits' }])
  expect(readPart(page, { anchor: 'nothing', budget: 1000 })).toBeUndefined()
})

it('ends before a section where it can, and names what comes', () => {
  const { text, next, others } = readPart(page, { budget: 45 }) ?? {}
  expect(text).toBe('Begin.\n\n## Install\n\nRun it.')
  expect(others?.map(({ heading }) => heading)).toEqual(['Linux', 'Limits'])
  expect(readPart(page, { from: next, budget: 1000 })?.text).toBe(
    '### Linux\n\nWith apt.\n\n## Limits\n\nTen.',
  )
})

it.each([
  ['paragraphs', 'A line of words.\n\n'.repeat(3000)],
  ['one line', 'word '.repeat(10_000)],
  ['no space', 'x'.repeat(50_000)],
  ['Chinese', '文档'.repeat(20_000)],
  ['emoji', '😀'.repeat(10_000)],
  ['a block of code', `\`\`\`\n${'const a = 1\n'.repeat(3000)}\`\`\``],
])('reads %s to the end, in pieces of the budget', (_, text) => {
  const parts = [section(0, '', text)]
  let read = ''
  let from: number | undefined = 0
  for (let n = 0; from !== undefined; n++) {
    const reading = readPart(parts, { from, budget: 3000 })
    expect(Buffer.byteLength(reading?.text ?? '')).toBeLessThanOrEqual(3700)
    expect(reading?.text).not.toContain('\uFFFD')
    read += reading?.text ?? ''
    from = reading?.next
    expect(n).toBeLessThan(100)
  }
  const bare = (given: string) => given.replaceAll(/\s|```/g, '')
  expect(bare(read)).toBe(bare(text))
})

it('closes a block of code that it cuts', () => {
  const { text } =
    readPart([section(0, '', `\`\`\`sh\n${'npm i\n'.repeat(100)}\`\`\``)], { budget: 200 }) ?? {}
  expect(text).toMatch(/npm i\n```$/)
})

it('names the upper levels of a page with many sections', () => {
  const many = Array.from({ length: 200 }, (_, n) => section(n % 10 === 0 ? 2 : 3, `S${n}`, 'x'.repeat(100)))
  const others = readPart(many, { budget: 1000 })?.others ?? []
  expect(others).toHaveLength(19)
  expect(others.every(({ level }) => level === 2)).toBe(true)
})

it('ends at once behind the end', () => {
  expect(readPart(page, { from: 10_000, budget: 100 })).toMatchObject({ text: '' })
  expect(readPart([], { budget: 100 })).toEqual({ text: '', others: [] })
})
