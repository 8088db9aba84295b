import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand, startServer, type TestServer } from './server.ts'

/** `docwright eval` on this product's own documentation, with its own questions. */
const own = 'evals/docwright.jsonl'
let server: TestServer
let folder = ''

interface Read {
  asked: number
  leftOut: Record<string, number>
  configurations: { name: string; models: Record<string, number>; summary: Record<string, number> }[]
  comparison: { better: unknown[]; worse: { line: number }[]; metrics: Record<string, object> } | null
  questions: { question: string; results: { scores: Record<string, number>; answer?: string }[] }[]
}

beforeAll(async () => {
  server = await startServer()
  folder = await mkdtemp(join(tmpdir(), 'docwright-eval-'))
})
afterAll(() => server[Symbol.asyncDispose]())

const evaluate = (...words: string[]) => runCommand(server.dataFolder, 'eval', ...words)
const inFolder = (name: string): string => join(folder, name)
async function write(name: string, ...cases: (object | string)[]): Promise<string> {
  await writeFile(
    inFolder(name),
    cases.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n'),
  )
  return inFolder(name)
}
async function questionsAsked(): Promise<number> {
  const { stdout } = await runCommand(server.dataFolder, 'insights', '--json')
  const { totals } = JSON.parse(stdout) as { totals: { questions: number; searches: { total: number } } }
  return totals.questions + totals.searches.total
}

it('finds what the own questions expect, and counts none of them', async () => {
  const limits = ['ndcg=0.82', 'recall10=0.95', 'section3=0.6', 'pageSection3=0.9'].flatMap((one) => [
    '--fail-under',
    one,
  ])
  const { code, stdout, stderr } = await evaluate('search', own, '--json', ...limits)
  expect([stderr, code]).toEqual(['', 0])
  const report = JSON.parse(stdout) as Read
  expect(report.asked).toBe(33)
  expect(report.leftOut['follow-ups, unanswerable, or without pages']).toBe(7)
  expect(await questionsAsked()).toBe(0)
})

it('answers the own questions with words that stand where it says, and nothing else', async () => {
  const [json, markdown] = [inFolder('report.json'), inFolder('report.md')]
  const limits = [
    'refusalAccuracy=0.95',
    'cited=0.95',
    'quotes=0.95',
    'verbatim=0.95',
    'citedPage=0.75',
    'citedSection=0.6',
  ]
  const { code, stderr } = await evaluate(
    'answers',
    own,
    '--out',
    json,
    markdown,
    '--fail-under',
    ...limits,
    '--fail-over',
    'cost=0',
  )
  expect([stderr, code]).toEqual(['Asking\n', 0])
  const { asked, configurations } = JSON.parse(await readFile(json, 'utf8')) as Read
  expect([asked, configurations[0]?.models]).toEqual([40, { builtin: 40 }])
  expect(await readFile(markdown, 'utf8')).toMatch(/^\| refusalAccuracy \| [01]\.\d{3} \| answered where/m)
  expect(await questionsAsked()).toBe(0)
})

it('compares two configurations, and ends with 1 under a limit that the second misses', async () => {
  const both = await evaluate(
    'search',
    own,
    '--json',
    '--against',
    'page-size=1',
    '--fail-under',
    'recall10=0.95',
  )
  expect([both.code, both.stderr]).toEqual([
    1,
    expect.stringMatching(/^docwright: recall10 is 0\.\d+, under 0\.95\n$/),
  ])
  const { configurations, comparison } = JSON.parse(both.stdout) as Read
  expect(configurations.map(({ name }) => name)).toEqual(['as set', 'page size 1'])
  expect(comparison?.worse.length).toBeGreaterThan(5)
  expect(comparison?.metrics['recall10']).toMatchObject({ questions: 33, better: 0 })
})

it('compares with an earlier report, and resumes what was broken off', async () => {
  const [before, results] = [inFolder('before.json'), inFolder('results.jsonl')]
  expect((await evaluate('search', own, '--limit', '3', '--resume', results, '--out', before)).code).toBe(0)
  const lines = (await readFile(results, 'utf8')).trimEnd().split('\n')
  expect(lines).toHaveLength(3)
  // A result that is known is not asked for again, and half a line is no result.
  const [first = '', second = ''] = lines
  await writeFile(results, `${first.replace(/"total":[\d.]+/, '"total":123456')}\n${second.slice(0, 50)}`)
  const { stdout } = await evaluate(
    'search',
    own,
    '--limit',
    '4',
    '--resume',
    results,
    '--before',
    before,
    '--json',
  )
  const { configurations, comparison, questions } = JSON.parse(stdout) as Read
  expect(configurations.map(({ name }) => name)).toEqual(['before: as set', 'as set'])
  expect(configurations[1]?.summary['total.p95']).toBe(123456)
  expect([questions.length, comparison?.better, comparison?.worse]).toEqual([3, [], []])
  const other = await evaluate('answers', own, '--before', before)
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('is a report of "eval search"')])
})

it('says what is wrong before it asks anything', async () => {
  const wrong = await write(
    'wrong.jsonl',
    { question: 'How?', pages: ['/nowhere'] },
    { question: 'Why?', sections: ['/quickstart#x'] },
  )
  for (const [words, problem] of [
    [['search', wrong], `${wrong}:1: there is no page "/nowhere" in docwright`],
    [
      ['search', await write('bad.jsonl', '{"question": "How?"', '{}')],
      'bad.jsonl:2: `question` must be text',
    ],
    [['search', inFolder('missing.jsonl')], 'no such file'],
    [['search', own, '--fail-under', 'beauty=1'], 'There is no metric beauty; there are ndcg'],
    [['search', own, '--fail-under', 'ndcg=much'], 'must be a number'],
    [['search', own, '--out', 'report.txt'], 'must be .md or .json'],
    [['search', own, '--without', 'pages'], 'questions, vectors, queries'],
    [['search', own, '--against', 'colour=red'], 'use project, data, model'],
    [['search', own, '--before', own], 'is not JSON'],
    [['answers', own, '--judge', 'nobody:nothing', '--limit', '1'], 'nobody'],
    [['answers', own, '--model', 'nobody:nothing'], 'nobody'],
  ] as [string[], string][]) {
    const { code, stderr } = await evaluate(...words)
    expect([words, code === 0, stderr]).toEqual([words, false, expect.stringContaining(problem)])
  }
  expect(await questionsAsked()).toBe(0)
})

it('makes cases of recorded conversations, to be reviewed', async () => {
  const ask = async (text: string, threadId?: string): Promise<{ threadId: string; id: string }> => {
    const { stdout } = await runCommand(
      server.dataFolder,
      'ask',
      text,
      '--json',
      ...(threadId === undefined ? [] : ['--thread', threadId]),
    )
    return JSON.parse(stdout) as { threadId: string; id: string }
  }
  const { threadId } = await ask('How do I restore a backup?')
  await ask('And on PostgreSQL?', threadId)
  await ask('How do I restore  a backup?')
  await ask('Who won the football world cup in 2014?')
  await ask('Thanks!')
  const file = inFolder('cases.jsonl')
  const written = await evaluate('cases', '--from-threads', '--out', file)
  expect([written.code, written.stderr]).toEqual([0, expect.stringContaining('3 cases written to')])
  const cases = (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(cases).toMatchObject([
    {
      question: 'And on PostgreSQL?',
      history: [{ role: 'user', text: 'How do I restore a backup?' }, { role: 'assistant' }],
    },
    {
      question: 'How do I restore  a backup?',
      sections: expect.arrayContaining(['operate/backups.mdx#restore']),
      review: 'answered',
    },
    {
      question: 'Who won the football world cup in 2014?',
      unanswerable: true,
      review: expect.stringContaining('unanswered'),
    },
  ])
  expect((await evaluate('answers', file)).stderr).toContain('all 3 questions are marked to be reviewed')
  const reviewed = await write('reviewed.jsonl', ...cases.map((one) => ({ ...one, review: undefined })))
  const { code, stdout } = await evaluate('answers', reviewed, '--json')
  const { questions } = JSON.parse(stdout) as Read
  expect([
    code,
    questions[1]?.results[0]?.scores['citedSection'],
    questions[2]?.results[0]?.scores['refused'],
  ]).toEqual([0, 1, 1])
  expect(
    (await evaluate('cases', '--from-threads', '--outcome', 'unanswered', '--limit', '1')).stdout.split('\n'),
  ).toHaveLength(2)
})
