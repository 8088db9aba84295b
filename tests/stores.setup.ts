import { appendFile, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { FirstStart } from './first-start.ts'
import { lineOfCosts, processorTime } from './processor-time.ts'

/**
 * Makes the stores, the program and the browser of a run when the first test file asks for one, once for all files: a run without such
 * files starts no PostgreSQL. `tests/ask-run.ts` asks.
 */
export default async function answerForStores({ config }: TestProject): Promise<() => Promise<void>> {
  let archive: Promise<string> | undefined
  let browser: Promise<string> | undefined
  let firstStart: Promise<FirstStart> | undefined
  let postgres: Promise<RunPostgres> | undefined
  let program: Promise<string> | undefined
  const answer = async (path: string | undefined): Promise<unknown> => {
    if (path === '/archive')
      return (archive ??= import('./prepared-stores.ts').then((made) => made.embeddedArchive()))
    // Only where it is made anyway, for servers, and of the source as it is: while files are watched, that changes.
    if (path === '/built-program') return config.watch ? null : ((await program) ?? null)
    if (path === '/browser')
      return (browser ??= import('./unpack-browser.ts').then((unpacking) => unpacking.unpackBrowser()))
    if (path === '/first-start')
      return (firstStart ??= import('./make-first-start.ts').then((made) => made.makeFirstStart()))
    if (path === '/program')
      return (program ??= import('./prepared-program.ts').then((made) => made.prepareProgram()))
    const { url, template } = await (postgres ??= openRunPostgres())
    return { url, template }
  }
  const server = createServer((request, response) => {
    // One that is kept may close in the moment in which it is used again.
    response.setHeader('connection', 'close')
    answer(request.url).then(
      (value) => response.end(JSON.stringify(value)),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  // What test files start need not strip types and compile everything again.
  process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../node_modules/.cache/docwright/compiled')
  // Test files are processes that inherit it. The measurements do without.
  process.env['TEST_STORES'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return async () => {
    server.closeAllConnections()
    server.close()
    const copied = await firstStart?.catch(() => undefined)
    if (copied) await rm(copied.dataFolder, { recursive: true })
    const opened = await postgres?.catch(() => undefined)
    if (process.env['TEST_CPU'] !== undefined) await writeCosts(process.env['TEST_CPU'], opened?.folder)
    await opened?.remove()
  }
}

interface RunPostgres {
  url: string
  /** A database of it that is migrated and empty, to make others from. */
  template: string
  /** Of its files, where it is the run's own. */
  folder: string | undefined
  remove: () => Promise<void>
}

/** What all test files share: the process of the run itself, and its PostgreSQL. */
async function writeCosts(list: string, postgres: string | undefined): Promise<void> {
  await appendFile(list, lineOfCosts('the test run', { own: processorTime(process.pid).own, started: 0 }))
  if (postgres === undefined) return
  const [first = ''] = (await readFile(join(postgres, 'postmaster.pid'), 'utf8')).split('\n')
  await appendFile(list, lineOfCosts('PostgreSQL of the run', processorTime(Number(first))))
}

/**
 * Of a server that nobody keeps. With hundreds of databases that live for seconds, the cleaner would start several times a
 * second.
 */
const settings = ['autovacuum=off', 'full_page_writes=off', 'synchronous_commit=off']

/** One PostgreSQL for the whole run, or the one that TEST_DATABASE_URL names. */
async function openRunPostgres(): Promise<RunPostgres> {
  const given = process.env['TEST_DATABASE_URL']
  const { newPostgres, sweepLeftBehind } = await import('./postgres-server.ts')
  const { prepareDatabase } = await import('./prepared-stores.ts')
  if (given === undefined) await sweepLeftBehind()
  const { url, data, remove } =
    given === undefined
      ? await newPostgres(settings)
      : { url: given, data: undefined, remove: () => Promise.resolve() }
  try {
    return { url, template: await prepareDatabase(url), folder: data, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
