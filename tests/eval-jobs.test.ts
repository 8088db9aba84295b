import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { git } from './repository.ts'
import { programPath } from './server.ts'
import { startOwnServer, type ChatBody, type Said } from './worlds/own-model-server.ts'

/** `docwright eval jobs`, which starts a server of its own. */

const edit = (path: string, search: string, replace: string) => [
  { name: 'edit_file', input: { path, edits: [{ search, replace }] } },
  {
    name: 'finish',
    input: {
      title: 'Name the new option',
      summary: 'It was renamed.',
      pages: [{ path, reason: 'Renamed.', sources: ['src/client.ts:1'] }],
    },
  },
]
const nothing = [
  { name: 'finish', input: { title: 'Nothing', summary: 'No reader sees it.', noChange: true } },
]

async function createHistory(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-history-'))
  const commit = async (message: string, files: Record<string, string>): Promise<void> => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    await git(folder, 'add', '-A')
    await git(folder, 'commit', '--quiet', '-m', message)
  }
  await git(folder, 'init', '--quiet', '-b', 'main')
  const start = '# Client\n\nSet `maxRetries` to 3.\n'
  await commit('Begin', { 'src/client.ts': 'const maxRetries = 3\n', 'docs/client.md': start })
  await commit('Stop here', {
    'src/client.ts': 'const maxRetries = 4\n',
    'docs/client.md': start.replace('3', '4'),
  })
  await commit('Tidy up', { 'src/wait.ts': 'export const wait = 1\n' })
  const renamed = '# Client\n\nSet `retryLimit` to 4. What only people wrote.\n'
  await commit('Rename an option', { 'src/client.ts': 'const retryLimit = 4\n', 'docs/client.md': renamed })
  return folder
}

async function run(
  words: string[],
  environment: Record<string, string>,
  onStart?: (stop: (signal: NodeJS.Signals) => void) => void,
) {
  const temporary = await mkdtemp(join(tmpdir(), 'docwright-own-'))
  const child = spawn(process.execPath, [await programPath(), 'eval', 'jobs', ...words], {
    env: { ...process.env, TMPDIR: temporary, GITHUB_TOKEN: 'never', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  onStart?.((signal) => child.kill(signal))
  await once(child, 'close')
  return { code: child.exitCode, stdout, stderr, left: await readdir(temporary) }
}

it('runs jobs on the past, stops cleanly, goes on where it stopped, and keeps its ceiling', async () => {
  const folder = await createHistory()
  const results = join(folder, '.git', 'results.jsonl')
  const asked: string[] = []
  let stop: (signal: NodeJS.Signals) => void = () => undefined
  const say = async (body: ChatBody): Promise<Said> => {
    const text = JSON.stringify(body.messages)
    asked.push(text)
    if (text.includes('Rename an option'))
      return { calls: edit('docs/client.md', '`maxRetries`', '`retryLimit`') }
    if (text.includes('Tidy up')) return { calls: nothing }
    stop('SIGINT')
    return new Promise(() => undefined)
  }
  await using model = await startOwnServer({ say })
  const environment = { DOCWRIGHT_MODEL: 'compatible:m', OPENAI_COMPATIBLE_BASE_URL: `${model.url}/v1` }
  const words = ['--folder', folder, '--root', 'docs', '--resume', results]

  const first = await run(words, environment, (kill) => (stop = kill))
  expect(first.code, first.stderr).toBe(130)
  expect(first.stderr).toContain('continue from')
  expect(first.left).toEqual([])
  const lines = (await readFile(results, 'utf8')).trimEnd().split('\n')
  expect(lines).toHaveLength(2)
  expect(asked.join('\n')).not.toContain('What only people wrote')
  expect(asked.join('\n')).toContain('+1\\tconst retryLimit = 4')

  // Half a line is no result, and what is known has used the ceiling up: no server is needed.
  await writeFile(results, `${lines.join('\n')}\n{"key":"x","res`)
  const markdown = join(folder, '.git', 'report.md')
  const second = await run(
    [
      ...words,
      '--json',
      '--max-tokens',
      '1',
      '--out',
      markdown,
      '--fail-under',
      'recall=0.9',
      'silent=1',
      'lines=2',
    ],
    environment,
  )
  const calls = asked.length
  expect([second.code, second.stderr]).toEqual([1, 'docwright: lines is 1, under 2\n'])
  const report = JSON.parse(second.stdout) as {
    stopped: string
    configurations: { name: string; outcomes: object; summary: Record<string, number> }[]
    changes: { kind: string; results: ({ outcome: string; pages: string[] } | null)[] }[]
  }
  expect(asked).toHaveLength(calls)
  expect(report.stopped).toBe('The ceiling of 1 tokens was reached.')
  expect(report.changes.map(({ kind, results: [result] }) => [kind, result?.outcome, result?.pages])).toEqual(
    [
      ['code', 'changed', ['docs/client.md']],
      ['silent', 'no_change', []],
      ['code', undefined, undefined],
    ],
  )
  const [configuration] = report.configurations
  expect(configuration?.summary).toMatchObject({
    documented: 1,
    precision: 1,
    recall: 1,
    silent: 1,
    failed: 0,
  })
  expect(configuration?.summary['wording']).toBeLessThan(1)
  expect(await readFile(markdown, 'utf8')).toContain(
    'Rename an option | 1 page | changed, 1 page, 1 of 1 found',
  )
  expect(await git(folder, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
})
