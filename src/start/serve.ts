import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { createApp } from '../api/app.ts'
import { setBasePath } from '../api/base-path.ts'
import { createClientAddress } from '../api/client-address.ts'
import type { App } from '../api/endpoint.ts'
import { errorPage } from '../api/frame/html/error-page.ts'
import { createMetrics } from '../api/metrics.ts'
import { readSession } from '../api/session-cookie.ts'
import { readConfig, type Config } from '../config.ts'
import { countHang } from '../features/agent/turns.ts'
import { findProject } from '../features/projects/projects.ts'
import { AppError, messageOf } from '../lib/errors.ts'
import { measureWith } from '../lib/trace.ts'
import { createUnfinished, type Unfinished } from '../lib/unfinished.ts'
import { waitTurnsFor } from '../lib/wait-turns.ts'
import { createAgentPorts } from './agent-ports.ts'
import { workInBackground } from './background.ts'
import { createChats } from './chats.ts'
import { dataPaths, operatorToken } from './data-folder.ts'
import { createEndpoints } from './endpoints.ts'
import { firstRun, provisionKeys } from './first-run.ts'
import { refreshHosts } from './hosts/refresh-hosts.ts'
import { announceServer } from './listen/announce-server.ts'
import { drain } from './listen/drain.ts'
import { findPublicUrl, notePublicUrl } from './listen/public-url.ts'
import { listen, type Listening } from './listen/start-server.ts'
import { useProxy } from './listen/use-proxy.ts'
import { createLog } from './log.ts'
import { checkGit, openServices } from './open-services.ts'
import type { Services } from './services.ts'
import { createSteps, type Steps } from './steps.ts'
import { startTracing } from './tracing.ts'
import { startWatchdog, takeStopped, type Watchdog } from './watchdog/watchdog.ts'
import { welcomeText } from './welcome.ts'
import { createWorkerEndpoints } from './worker-endpoints.ts'

/** What work on jobs gets to stop at the end of its step, and what requests have left to write down. */
const settling = { milliseconds: 4000, turns: 50 }
/** What closing may take. */
const closing = { milliseconds: 6000, turns: 100 }

/** Runs the server until SIGINT or SIGTERM. Standard output gets the steps, the welcome, and `ready URL`. */
export async function serve(environment: NodeJS.ProcessEnv, { demo }: { demo: boolean }): Promise<void> {
  const write = (line: string): void => void process.stdout.write(`${line}\n`)
  const steps = createSteps(write)
  const config = await checkedConfig(environment)
  useProxy(environment)
  const flushTraces = await startTracing(config, createLog(config))
  const services = await openServices(config, environment, steps)
  using watchdog = await watchMainThread(services)
  const jobsStopping = new AbortController()
  const streamsStopping = new AbortController()
  let publicUrl = config.publicUrl ?? ''
  const state = { draining: false }
  const metrics = createMetrics(services)
  measureWith(metrics.count)
  const unfinished = createUnfinished()
  const endpoints = createEndpoints(services, {
    unfinished,
    metrics,
    operatorToken: await operatorToken(config.dataFolder),
    publicUrl: () => publicUrl,
    stopping: jobsStopping.signal,
    draining: streamsStopping.signal,
  })
  const addressOf = createClientAddress(config.trustedProxies)
  const isDraining = (): boolean => state.draining
  // The store adds the line of the audit log to any transaction.
  const record = (): Promise<void> => services.store.transaction(() => Promise.resolve())
  const app = createApp(
    {
      log: services.log,
      addressOf,
      publicUrl: () => publicUrl,
      record,
      async showError(context, error) {
        const session = await readSession(services.store, publicUrl, context)
        if (session) context.set('visitor', { ...session, trouble: services.machine.trouble() })
        // An address that does not exist is nothing to report.
        return errorPage(context, error, () => undefined)
      },
      isDraining,
    },
    endpoints,
  )
  setBasePath(
    publicUrl || 'http://localhost',
    app.routes.map(({ path }) => path),
  )
  const listening = await steps.run(
    'Listening',
    () => listen(config, noted(watchdog, unfinished, app.fetch)),
    ({ port, localUrl }) =>
      config.port === undefined && port !== 4000 ? `${localUrl} (port 4000 is taken)` : localUrl,
  )
  publicUrl ||= listening.localUrl
  await notePublicUrl(config.dataFolder, publicUrl)
  // After listening, which fails where the port is taken: the keys are shown only once.
  const welcome = await steps.run(
    'First run',
    () => firstRun(services, demo),
    (made) => (made ? 'organization and keys created' : 'done before'),
  )
  await provisionKeys(services)
  const ports = createAgentPorts(services, () => publicUrl, jobsStopping.signal)
  const background = await workInBackground(services, ports, {
    watchdog,
    publicUrl: () => publicUrl,
    kind: 'serve',
    chats: createChats(services, { publicUrl: () => publicUrl, stopping: jobsStopping.signal, unfinished }),
  })
  refreshHosts(services, jobsStopping.signal)
  const withdraw = await announceServer(config.dataFolder, listening.localUrl, jobsStopping.signal)
  if (welcome?.demo) await waitForIndex(services, steps, welcome.demo.project.id)
  if (welcome) write(welcomeText(publicUrl, welcome))
  write(`ready ${publicUrl}`)

  const failure = await stopReason(services)
  write('Stopping: no new work; what runs is finished or handed back')
  jobsStopping.abort(stoppingError())
  await withdraw()
  await drain(listening, {
    closed: () => (state.draining = true),
    endStreams: () => streamsStopping.abort(stoppingError()),
  })
  await waitTurnsFor(settling, Promise.all([background.settled(), unfinished.settled()]))
  await close(services, flushTraces)
  if (failure) throw failure
}

/** Works on jobs and syncs without serving, beside servers that share the database. */
export async function work(environment: NodeJS.ProcessEnv): Promise<void> {
  const write = (line: string): void => void process.stdout.write(`${line}\n`)
  const config = await checkedConfig(environment)
  if (config.databaseUrl === undefined)
    throw new AppError(
      'invalid',
      'Workers require PostgreSQL. Set DATABASE_URL. With the embedded database, "serve" processes jobs itself',
    )
  useProxy(environment)
  const flushTraces = await startTracing(config, createLog(config))
  const services = await openServices(config, environment, createSteps(write))
  using watchdog = await watchMainThread(services)
  const stopping = new AbortController()
  const listening = await answerAsWorker(services, stopping.signal)
  const publicUrl = await findPublicUrl(config, stopping.signal)
  const ports = createAgentPorts(services, publicUrl, stopping.signal)
  const background = await workInBackground(services, ports, { watchdog, publicUrl, kind: 'worker' })
  write(listening ? `ready ${listening.localUrl}` : 'ready')
  await stopReason(services)
  stopping.abort(stoppingError())
  await waitTurnsFor(settling, background.settled())
  listening?.server.close()
  listening?.server.closeAllConnections()
  await close(services, flushTraces)
}

/** Health and metrics of a worker, where it was given a port. */
async function answerAsWorker(services: Services, stopping: AbortSignal): Promise<Listening | undefined> {
  const { config, log } = services
  const metrics = createMetrics(services)
  measureWith(metrics.count)
  if (config.workerPort === undefined) return undefined
  const endpoints = await createWorkerEndpoints(services, metrics, stopping)
  const app = createApp({ log, isDraining: () => stopping.aborted }, endpoints)
  return listen({ ...config, port: config.workerPort }, app.fetch, {}, 'DOCWRIGHT_WORKER_PORT')
}

// Started after the store was opened, which counts the jobs that the watchdog of the last process stopped.
async function watchMainThread({ config, store }: Services): Promise<Watchdog> {
  const { stopped } = dataPaths(config.dataFolder)
  const jobs = (await takeStopped(stopped)).flatMap((name) => /^job (\S+)$/.exec(name)?.[1] ?? [])
  await store.transaction((tx) => countHang(tx, jobs))
  return startWatchdog(config.watchdogSeconds, stopped)
}

function noted(watchdog: Watchdog, unfinished: Unfinished, fetch: App['fetch']): App['fetch'] {
  return (request, ...more) => {
    // Without its query, which may hold a token.
    watchdog.note(`${request.method} ${request.url.split('?', 1)[0]}`)
    const answer = Promise.resolve(fetch(request, ...more))
    unfinished.add(answer)
    return answer
  }
}

// Reports problems of the configuration and of git together.
async function checkedConfig(environment: NodeJS.ProcessEnv): Promise<Config> {
  try {
    return readConfig(environment)
  } catch (error) {
    const git = await checkGit(environment).then(
      () => [],
      (problem: unknown) => [messageOf(problem)],
    )
    throw new AppError('invalid', [messageOf(error), ...git].join('\n'), { cause: error })
  }
}

async function waitForIndex(services: Services, steps: Steps, projectId: string): Promise<void> {
  await steps.run(
    'Demo project',
    async () => {
      for (let tries = 0; tries < 300; tries++) {
        const project = await findProject(services.store.db, projectId)
        if (!project || project.sync.state === 'failed')
          throw new AppError(
            'unavailable',
            `The demo project could not be indexed: ${project?.sync.error ?? 'it no longer exists'}`,
          )
        if (project.sync.state === 'ready') {
          await services.indexes.ready(project)
          return project.pageCount
        }
        await delay(100)
      }
      return 0
    },
    (pages) => `${pages} pages indexed`,
  )
}

// A signal, or the error for which this process has to end, so that its supervisor starts another.
async function stopReason({ store: { broken } }: Services): Promise<Error | undefined> {
  const broke = broken.aborted ? Promise.resolve() : once(broken, 'abort')
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), broke])
  return broken.aborted ? broken.reason : undefined
}

// A database that is away does not keep the process from ending.
async function close(services: Services, flushTraces: () => Promise<void>): Promise<void> {
  const closed = Promise.all([services.close(), flushTraces()])
  await Promise.race([closed, waitTurnsFor(closing, closed)])
}

function stoppingError(): AppError {
  return new AppError('unavailable', 'The server is stopping; try again in a moment')
}
