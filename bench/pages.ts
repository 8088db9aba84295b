/**
 * What pages of the dashboard cost: the review of a large change, and a job that many people watch.
 *
 *   node bench/pages.ts [--files 300] [--lines 20000] [--viewers 50] [--seconds 30]
 *
 * Review: the page of a pull request that changes `--files` pages and a page of `--lines` lines, each line of it, the
 * first time and again, and its parts one after the other. `git diff` of the same change runs beside it. Viewers: each
 * follows the events of a job that changes four times a second, and fetches its page again, as a browser does. One viewer
 * is measured in the same run.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { startModelMock } from '../tests/model-mock.ts'
import { runCommand, settledJob, startServer, type TestServer } from '../tests/server.ts'
import { generateRepository } from './generate-repository.ts'
import { processFigures } from './process-figures.ts'

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '300' },
    lines: { type: 'string', default: '20000' },
    viewers: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '30' },
  },
})
const [files, lines, viewers, seconds] = [values.files, values.lines, values.viewers, values.seconds].map(
  Number,
) as [number, number, number, number]

const folder = await mkdtemp(join(tmpdir(), 'docwright-bench-'))
try {
  await measureReview()
  await measureViewers()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function measureReview(): Promise<void> {
  const repository = await generateRepository(join(folder, 'repository'), files)
  const git = (...words: string[]): string =>
    execFileSync(
      'git',
      ['-C', repository, '-c', 'user.name=Bench', '-c', 'user.email=b@example.com', ...words],
      {
        encoding: 'utf8',
        maxBuffer: 1e9,
      },
    )
  const items = Array.from(
    { length: lines },
    (_, n) => `- Item ${n} of the list
`,
  )
  await writeFile(
    join(repository, 'long.md'),
    `# Long

${items.join('')}`,
  )
  git('add', '-A')
  git('commit', '-qm', 'Add a long page')
  const replace = (search: string, words: string): [string, unknown] => [
    'replace_in_files',
    { search, replace: words, apply: true },
  ]
  await using model = await startModelMock(({ step }) =>
    Promise.resolve(
      step === 0
        ? [replace('Documentation says', 'A manual says'), replace('of the list', 'of the table')]
        : [['finish', { title: 'Reword', summary: 'Reworded.' }]],
    ),
  )
  await using server = await startServer({ arguments: ['--no-demo'], environment: model.environment })
  const { cookie, project } = await open(server, repository)
  const job = await createJob(server, project)
  await settledJob(server, job, server.welcome.adminKey)
  const page = async (path: string): Promise<{ milliseconds: number; text: string }> => {
    const began = performance.now()
    const answer = await fetch(`${server.url}${path}`, { headers: { cookie } })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    return { milliseconds: Math.round(performance.now() - began), text }
  }
  const path = '/projects/bench/pulls/1'
  const [first, second] = [await page(path), await page(path)]
  const began = performance.now()
  git('diff', 'main', git('for-each-ref', '--format=%(refname)', 'refs/heads/docwright').trim())
  console.table({
    'first time': figuresOf(first),
    again: figuresOf(second),
    'git diff': { milliseconds: Math.round(performance.now() - began), 'KB gzip': '' },
  })
  const parts = [...second.text.matchAll(/data-part="([^"]+)"/g)].map(([, part = '']) =>
    part.replaceAll('&amp;', '&'),
  )
  const times: number[] = []
  for (const part of parts.slice(0, 60)) times.push((await page(part)).milliseconds)
  times.sort((one, other) => one - other)
  console.log(`${times.length} of ${parts.length} parts: p50 ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms`)
}

async function measureViewers(): Promise<void> {
  const repository = await generateRepository(join(folder, 'watched'), 100)
  await using model = await startModelMock(async ({ step }) => {
    await delay(250)
    return [
      [
        'read_file',
        { path: `section-${step % 20}/page-${step % 100}.md`, startLine: 1, lineCount: 1 + step },
      ],
    ]
  })
  await using server = await startServer({
    arguments: ['--no-demo'],
    environment: { ...model.environment, DOCWRIGHT_JOB_MAX_STEPS: '5000' },
  })
  const { cookie, project } = await open(server, repository)
  const job = await createJob(server, project)
  const id = job.split('/').at(-1) ?? ''
  const table: Record<string, object> = {}
  for (const count of [0, 1, viewers]) {
    const stop = new AbortController()
    const times: number[] = []
    const watching = Array.from({ length: count }, () =>
      watch(server, { id, cookie, times, signal: stop.signal }),
    )
    await delay(3000)
    const before = await processFigures(server.process.pid ?? 0)
    times.length = 0
    await delay(seconds * 1000)
    const after = await processFigures(server.process.pid ?? 0)
    stop.abort()
    await Promise.all(watching)
    times.sort((one, other) => one - other)
    table[`${count} viewers`] = {
      'pages a second': Math.round((times.length / seconds) * 10) / 10,
      'page p50 ms': at(times, 0.5),
      'page p95 ms': at(times, 0.95),
      'CPU %': Math.round(((after.cpu - before.cpu) / seconds) * 100),
      'memory MB': Math.round(after.memory),
    }
  }
  const watched = await server.request('GET', job, { key: server.welcome.adminKey })
  if (((await watched.json()) as { status: string }).status !== 'active')
    throw new Error('The job has ended early')
  console.table(table)
}

/** Follows a job as the script of its page does: one fetch at a time, half a second apart. */
async function watch(
  server: TestServer,
  { id, cookie, times, signal }: { id: string; cookie: string; times: number[]; signal: AbortSignal },
): Promise<void> {
  const headers = { cookie }
  const path = `/projects/bench/jobs/${id}`
  let isNew = false
  const fetching = (async () => {
    while (!signal.aborted) {
      if (isNew) {
        isNew = false
        const began = performance.now()
        await (await fetch(`${server.url}${path}`, { headers })).text()
        times.push(performance.now() - began)
      }
      await delay(isNew ? 500 : 20)
    }
  })()
  const stream = await fetch(`${server.url}/live${path}`, { headers, signal })
  try {
    for await (const piece of stream.body?.pipeThrough(new TextDecoderStream()) ?? [])
      if (piece.includes('event: version')) isNew = true
  } catch {
    // The measurement is over.
  }
  await fetching
}

async function open(server: TestServer, repository: string): Promise<{ cookie: string; project: string }> {
  const words = ['project', 'add', repository, '--domain', 'bench', '--json']
  const { stdout } = await runCommand(server.dataFolder, ...words)
  const link = await runCommand(server.dataFolder, 'sign-in')
  const token = /token=(\S+)/.exec(link.stdout)?.[1] ?? ''
  const signedIn = await fetch(`${server.url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ token }),
  })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  return { cookie, project: (JSON.parse(stdout) as { id: string }).id }
}

async function createJob(server: TestServer, project: string): Promise<string> {
  const path = `/v2/agent/${project}/job`
  const body = { prompt: 'Go on' }
  const created = await server.request('POST', path, { key: server.welcome.adminKey, body })
  return `${path}/${((await created.json()) as { id: string }).id}`
}

function figuresOf({ milliseconds, text }: { milliseconds: number; text: string }): object {
  return { milliseconds, 'KB gzip': Math.round(gzipSync(text).length / 1024) }
}

function at(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
}
