import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { createSearchLog } from '../features/assistant/insights/searches.ts'
import { createEnrichedIndexes } from '../features/docs/enrich/enriched-indexes.ts'
import { createQueryVectors } from '../features/docs/enrich/query-vectors.ts'
import { createIndexes } from '../features/docs/indexes.ts'
import { decideVisibility } from '../nouns/projects/setup/decide-visibility.ts'
import { findSealedConnection } from '../features/connections/connections.ts'
import {
  createOpenConnection,
  remoteForReading,
  remoteOfConnection,
  hostsOfProject,
} from '../features/connections/open-connection.ts'
import { isOnNamedSite } from '../features/connections/named-sites.ts'
import { listProjects, type Project } from '../features/projects/projects.ts'
import { withDefaults } from '../features/projects/settings/schemas.ts'
import { listProcesses } from '../features/server/processes.ts'
import { checkGitVersion } from '../integrations/git/process/check-git-version.ts'
import { createGit, type Git } from '../integrations/git/git.ts'
import { noteUse, removeMirror } from '../integrations/git/mirrors/evict-mirror.ts'
import { openMirror } from '../integrations/git/mirrors/open-mirror.ts'
import { registeredFolder } from '../integrations/git/remote.ts'
import { openSpawner, type Spawner } from '../integrations/git/process/spawner.ts'
import { checkAddressesBy, startGitBy } from '../integrations/git/process/start-git.ts'
import { watchMachine } from '../integrations/machine/machine.ts'
import { createCheckAddress } from '../lib/check-address.ts'
import { AppError, messageOf } from '../lib/errors.ts'
import { resolveName } from '../lib/pinned-request.ts'
import { openEmbeddedStore, openPostgresStore, type Store } from '../store/database.ts'
import type { SecretKey } from '../lib/secret-box.ts'
import { counted } from '../lib/text/counted.ts'
import { connectionRoom, connectionsRemedy, connectionsShort } from '../store/connection-room.ts'
import { explainConnection } from '../store/postgres/explain-connection.ts'
import { lockFolder } from '../store/lock-folder.ts'
import { migrate } from '../store/migrate.ts'
import { openQueue } from '../store/queue.ts'
import { createLog, reportTo } from './log.ts'
import { checkDataFolder, dataPaths, secretKey } from './data-folder.ts'
import { checkedFetch } from '../integrations/forges/http/checked-fetch.ts'
import { proxyVariables } from './listen/use-proxy.ts'
import { createFilledMirror } from './mirrors/filled-mirror.ts'
import { mirrorName, separateMirrors } from './mirrors/mirror-names.ts'
import { checkedHosts, createHosts } from './hosts/hosts.ts'
import { checkedModels } from './models/models.ts'
import { closeFiles } from './private-files.ts'
import type { MirroredProject, Services } from './services.ts'
import type { Steps } from './steps.ts'

/**
 * Opens everything in order, and prints a line for each.
 * @param environment for git: proxies and certificates
 * @throws AppError that lists every problem of the machine at once
 */
export async function openServices(
  config: Config,
  environment: NodeJS.ProcessEnv,
  steps: Steps,
): Promise<Services> {
  const log = createLog(config)
  const models = checkedModels(config, {
    onFailure: ({ error, ...call }) =>
      log.warn({ ...call, reason: messageOf(error) }, 'A call of a model failed'),
    warn: (message) => log.warn(message),
  })
  const git = await checkMachine(config, environment, log, steps)
  const machine = await watchMachine({
    dataFolder: config.dataFolder,
    minFreeBytes: config.minFreeBytes,
    onChange: (now, before) => {
      if (now) log.error({ reason: now.reason }, `${now.message}: work waits until that is over`)
      else log.info({ reason: before?.reason }, 'Host resources recovered. Resuming work')
    },
  })
  const spawner = await startGitOutside(log)
  const paths = dataPaths(config.dataFolder)
  const lock =
    config.databaseUrl === undefined
      ? await lockFolder(paths.store, `process ${process.pid} on ${hostname()}`)
      : undefined
  const report = reportTo(log)
  const store = await steps.run(
    'Database',
    () =>
      config.databaseUrl === undefined
        ? openEmbeddedStore(join(paths.store, 'pglite'), { report })
        : openPostgresStore(config.databaseUrl, report),
    ({ engine }) => (engine === 'pglite' ? 'embedded PGlite' : 'PostgreSQL'),
  )
  await steps.run(
    'Migrations',
    () => explained(config, () => migrate(store)),
    (names) => (names.length === 0 ? 'up to date' : `${names.length} applied`),
  )
  const queue = await steps.run('Queue', () =>
    explained(config, () => openQueue(store, (error) => log.error({ err: error }, 'The queue had an error'))),
  )
  await tellConnections(log, store)
  const earlier = config.previousSecretKey
  const key: SecretKey = [
    config.secretKey ?? (await secretKey(config.dataFolder)),
    ...(earlier === undefined ? [] : [earlier]),
  ]
  const plainHosts = createHosts(config.gitHosts)
  const isNamed = (url: URL): Promise<boolean> => isOnNamedSite(store.db, plainHosts, url)
  const checked = { isNamed, resolveName }
  checkAddressesBy(git, createCheckAddress({ ...checked, environment }))
  const hosts = checkedHosts(
    plainHosts,
    createCheckAddress({ ...checked, environment: proxyVariables(environment) }),
  )
  const openConnection = createOpenConnection({ store, hosts, secretKey: key })
  tellVisibility(log, await decideVisibility({ store, hosts }))
  await separateMirrors(store.db, paths.mirrors)
  const mirrorFolder = async (project: MirroredProject): Promise<string> => {
    const { id, kind } = project
    const connection =
      kind === 'https' && id !== undefined ? await findSealedConnection(store.db, id) : undefined
    return join(paths.mirrors, mirrorName(project, connection?.forkPath))
  }
  const tellEnrichment = (error: unknown): void =>
    log.warn({ err: error }, `A search had to do without what models made of the pages: ${messageOf(error)}`)
  const services: Services = {
    config,
    log,
    git,
    store,
    queue,
    models,
    machine,
    secretKey: key,
    indexes: createIndexes(
      store,
      paths.index,
      { memory: config.indexBytes },
      createEnrichedIndexes(store, createQueryVectors(store, models, tellEnrichment), tellEnrichment),
    ),
    searchLog: createSearchLog(store, (lost, error) =>
      log.warn({ err: error }, `${lost} searches of readers were not recorded`),
    ),
    async mirror(project, { isUse } = { isUse: true }) {
      const repository = await openMirror(git, await mirrorFolder(project))
      if (isUse) await noteUse(repository)
      return repository
    },
    async presentMirror(project) {
      const folder = await mirrorFolder(project)
      return existsSync(join(folder, 'HEAD')) ? { git, folder } : undefined
    },
    filledMirror: createFilledMirror<Project>({
      mirror: (project) => services.mirror(project),
      remote: (project) => services.remote(project),
    }),
    async prepareDropMirror(project) {
      const folder = await mirrorFolder(project)
      return async () => {
        const others = await Promise.all((await listProjects(store.db)).map(mirrorFolder))
        if (!others.includes(folder)) await removeMirror({ git, folder })
      }
    },
    hosts,
    fetchPublic: checkedFetch(
      fetch,
      createCheckAddress({
        isNamed: () => Promise.resolve(false),
        resolveName,
        environment: proxyVariables(environment),
      }),
    ),
    openConnection,
    remote: async ({ id, kind, location, settings, formerBranchPrefixes }) =>
      kind === 'path'
        ? registeredFolder(location)
        : remoteOfConnection(location, await openConnection(id), [
            withDefaults(settings).branchPrefix,
            ...formerBranchPrefixes,
          ]),
    readable: async (url, projectId) =>
      remoteForReading(
        await hostsOfProject(store.db, hosts, projectId),
        url,
        await openConnection(projectId),
      ),
    async close() {
      machine[Symbol.dispose]()
      await services.searchLog.flush()
      await queue.stop(4)
      await store[Symbol.asyncDispose]()
      await lock?.[Symbol.asyncDispose]()
      await spawner?.[Symbol.asyncDispose]()
    },
  }
  return services
}

// This process has not yet said that it is there.
async function tellConnections(log: Logger, store: Store): Promise<void> {
  const others = (await listProcesses(store.db)).filter(({ isAlive }) => isAlive).length
  const short = connectionsShort(await connectionRoom(store), others + 1)
  if (short !== undefined) log.warn(`${short}. ${connectionsRemedy}`)
}

function tellVisibility(log: Logger, { closed, open }: { closed: string[]; open: string[] }): void {
  const change = 'change it with the setting “visibility” of each project'
  if (closed.length > 0)
    log.warn(
      `Pages below /docs/ are now for people who are signed in, because their repositories have a credential: ${closed.join(', ')}; ${change}`,
    )
  if (open.length > 0)
    log.warn(`Pages below /docs/ stay open to anyone, as before: ${open.join(', ')}; ${change}`)
}

// Errors of the database during the set-up are explained to the operator.
async function explained<T>({ databaseUrl }: Config, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw databaseUrl === undefined ? error : explainConnection(databaseUrl, error)
  }
}

// Where sockets cannot have paths, or only too long ones, the server starts git itself.
async function startGitOutside(log: Logger): Promise<Spawner | undefined> {
  if (process.platform === 'win32') return undefined
  try {
    const spawner = await openSpawner()
    startGitBy(spawner.start)
    return spawner
  } catch (error) {
    log.warn({ err: error }, 'git is started by the server itself, which makes it slower')
    return undefined
  }
}

async function checkMachine(
  config: Config,
  environment: NodeJS.ProcessEnv,
  log: Logger,
  steps: Steps,
): Promise<Git> {
  const problems: string[] = []
  const note = (error: unknown): void => void problems.push(messageOf(error))
  await checkDataFolder(config.dataFolder)
    .then(() => closeFiles(config.dataFolder))
    .then((closed) => {
      if (closed > 0)
        log.warn(`Closed ${counted(closed, 'path')} of the data folder to other users of this machine`)
    })
    .catch(note)
  await steps
    .run(
      'git',
      () => checkGit(environment),
      (version) => version,
    )
    .catch(note)
  if (problems.length > 0) throw new AppError('unavailable', problems.join('\n'))
  return createGit({ dataFolder: config.dataFolder, environment, mirrorBytes: config.mirrorBytes })
}

/** The version of git, asked from an empty folder, because the data folder may be what is wrong. */
export async function checkGit(environment: NodeJS.ProcessEnv): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-'))
  try {
    return await checkGitVersion(await createGit({ dataFolder: folder, environment }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
