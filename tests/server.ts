import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { askRun } from './ask-run.ts'
import { copyFirstStart } from './first-start.ts'
import { createPreparedDatabase, preparedArchive, unpackStore } from './prepared-stores.ts'

const source = resolve(import.meta.dirname, '../bin/docwright.js')
/**
 * Compiles WebAssembly once only: servers of tests end before the faster code of the embedded database pays. Those of
 * measurements, which no test run started, are as users have them.
 */
const quickStart = process.env['TEST_STORES'] === undefined ? [] : ['--liftoff-only']

const isUsualRun = process.env['TEST_STORES'] !== undefined && process.env['TEST_ALL'] === undefined

/** A real server process of the product. */
export interface TestServer extends AsyncDisposable {
  url: string
  dataFolder: string
  /** Of its database in the run's PostgreSQL, if it has one. */
  databaseUrl: string | undefined
  process: ChildProcess
  /** All that it printed so far. */
  output(): string
  /** What the first start shows, also where that was copied; empty strings on later starts. */
  welcome: { projectId: string; domain: string; adminKey: string; assistantKey: string; signInLink: string }
  /** A request with a JSON body and a bearer key. */
  request(
    method: string,
    path: string,
    options?: { key?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<Response>
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/**
 * What Node is given to run the product: in a usual run of tests its code in one piece, which is loaded in half of the time,
 * and the source with `npm run test:all` and in measurements.
 */
export async function programPath(): Promise<string> {
  return isUsualRun ? z.string().parse(await askRun('/program')) : source
}

export interface ServerOptions {
  /** One with an empty store when not given. */
  dataFolder?: string
  environment?: Record<string, string>
  arguments?: string[]
  /** Options of Node for the process itself, not for its threads and helpers. */
  nodeArguments?: string[]
  /** Where what `npm start` runs is the subject. */
  fromSource?: boolean
  /** Where the embedded store is the subject; see `newDataFolder`. */
  isEmbedded?: boolean
  /** Where what a server does at its first start is the subject. Others are given a copy of the run's, if they have a demo. */
  isFirstStart?: boolean
}

export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const dataFolder = options.dataFolder ?? (await newServerFolder(options))
  const child = spawn(
    process.execPath,
    [
      ...quickStart,
      ...(options.nodeArguments ?? []),
      options.fromSource === true ? source : await programPath(),
      'serve',
      '--port',
      '0',
      '--data',
      dataFolder,
      ...(options.arguments ?? []),
    ],
    {
      env: { ...process.env, LOG_LEVEL: 'warn', ...databaseOf(dataFolder), ...options.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exited = once(child, 'exit')
  const url = await new Promise<string>((ready, fail) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      output += `${line}\n`
      if (line.startsWith('ready ')) ready(line.slice(6))
    })
    void exited.then(() => fail(new Error(`The server ended early:\n${output}`)))
  })
  const printed = firstStarts.get(dataFolder) ?? output
  firstStarts.delete(dataFolder)
  const shown = (name: string): string => new RegExp(`${name}\\s+(\\S+)`).exec(printed)?.[1] ?? ''
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal)
      await exited
    }
    return child.exitCode
  }
  return {
    url,
    dataFolder,
    databaseUrl: databases.get(dataFolder),
    process: child,
    output: () => output,
    welcome: {
      projectId: shown('Project id'),
      domain: shown('Domain'),
      adminKey: shown('Admin key'),
      assistantKey: shown('Assistant key'),
      signInLink: shown('Sign-in link').replace(/^http:\/\/[^/]+/, () => url.replace(/\/$/, '')),
    },
    request: (method, path, { key, body, headers } = {}) =>
      fetch(`${url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          'content-type': 'application/json',
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop('SIGKILL')
    },
  }
}

/** Of servers that have no database of their own in their folder. */
const databases = new Map<string, string>()
/** What was printed at first starts that were copied, until a server starts. */
const firstStarts = new Map<string, string>()

async function newServerFolder(options: ServerOptions): Promise<string> {
  const { environment, arguments: given = [], isEmbedded = false, isFirstStart = false } = options
  const isPlain = isUsualRun && options.fromSource !== true && !isEmbedded && !isFirstStart
  if (!isPlain || given.includes('--no-demo') || environment?.['DATABASE_URL'] !== undefined)
    return newDataFolder(options)
  const folder = await mkdtemp(join(tmpdir(), 'docwright-server-'))
  const { address, printed } = await copyFirstStart(folder)
  databases.set(folder, address)
  firstStarts.set(folder, printed)
  return folder
}

function databaseOf(dataFolder: string): { DATABASE_URL?: string } {
  const address = databases.get(dataFolder)
  return address === undefined ? {} : { DATABASE_URL: address }
}

/**
 * A new one for `startServer` and `runCommand`, with an empty store, which is there at once: in a usual run one of PostgreSQL,
 * which costs a server a third of the embedded one, and the embedded one where it is the subject and with `npm run test:all`.
 */
export async function newDataFolder({
  environment = {},
  isEmbedded = !isUsualRun,
}: { environment?: Record<string, string>; isEmbedded?: boolean } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-server-'))
  if (environment['DATABASE_URL'] !== undefined) return folder
  if (!isEmbedded) databases.set(folder, await createPreparedDatabase())
  else {
    const archive = await preparedArchive()
    if (archive !== undefined) await unpackStore(archive, folder)
  }
  return folder
}

/** A `docwright worker` beside servers that share its database, as soon as it is ready. It has an address where it is given a port. */
export async function startWorker(
  dataFolder: string,
  environment: Record<string, string>,
): Promise<ChildProcess & { url: string }> {
  const child = spawn(
    process.execPath,
    [...quickStart, await programPath(), 'worker', '--data', dataFolder],
    {
      env: { ...process.env, LOG_LEVEL: 'warn', ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('ready')) return Object.assign(child, { url: line.slice('ready '.length) })
  throw new Error('The worker ended early')
}

/** Runs a command of the product to its end. */
export async function runCommand(
  dataFolder: string,
  ...words: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [await programPath(), ...words, '--data', dataFolder], {
    env: { ...process.env, ...databaseOf(dataFolder) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  await once(child, 'close')
  return { code: child.exitCode, stdout, stderr }
}

/** A project as `docwright project show` tells it, for tests that look again and again. */
export async function readProject(
  server: Pick<TestServer, 'request' | 'dataFolder'>,
  domain: string,
): Promise<{ id: string; ref: string; pages: number; sync: { state: string; error: string | null } }> {
  const key = (await readFile(join(server.dataFolder, 'operator-token'), 'utf8')).trim()
  const response = await server.request('GET', `/admin/projects/${domain}`, { key })
  return (await response.json()) as Awaited<ReturnType<typeof readProject>>
}

/** A job as soon as it is no longer active. */
export async function settledJob(
  server: TestServer,
  path: string,
  key: string,
): Promise<Record<string, unknown>> {
  for (;;) {
    const response = await server.request('GET', path, { key })
    const job = (await response.json()) as Record<string, unknown>
    if (job['status'] !== 'active') return job
    await new Promise((done) => setTimeout(done, 250))
  }
}
