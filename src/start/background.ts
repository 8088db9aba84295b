import { createTurnTaker } from '../features/agent/loop/take-turns.ts'
import { endClaims } from '../features/agent/turns/job-claims.ts'
import type { RunPorts } from '../features/agent/turns/turn-run.ts'
import { recordAllPushes } from '../features/agent/workspace/job-work.ts'
import { enrichProject } from '../features/docs/enrich/enrich-project.ts'
import {
  createParser,
  noteUnchanged,
  RepositoryRenamed,
  syncProject,
  type SyncDependencies,
} from '../features/docs/sync-project.ts'
import { askHostWhy } from '../features/connections/follow-rename.ts'
import { findProject, noteBlockingBranch, type Project } from '../features/projects/projects.ts'
import { withDefaults } from '../features/projects/settings/schemas.ts'
import { findBlocking, findBlockingAt } from '../integrations/git/remotes/find-blocking.ts'
import { checkRemote } from '../integrations/git/remotes/check-remote.ts'
import { isRefusalOfGit } from '../integrations/git/remotes/explain-remote-failure.ts'
import { isSuspect, noteCorruption } from '../integrations/git/corruption.ts'
import type { Repository } from '../integrations/git/git.ts'
import { pushTarget, type Remote } from '../integrations/git/remote.ts'
import { syncPullRequests } from '../integrations/forges/local/pull-request-state.ts'
import { AppError, messageOf } from '../lib/errors.ts'
import { inSpan } from '../lib/trace.ts'
import { outlastTrouble } from '../store/store-trouble.ts'
import { localForgePorts } from './agent-ports.ts'
import { createAutomations } from './automations.ts'
import { startHeartbeat } from './heartbeat.ts'
import { createIndexPreparer } from './prepare-indexes.ts'
import { startRegularTasks } from './regular-tasks.ts'
import type { ChatWorker } from '../nouns/chats/worker.ts'
import type { Services } from './services.ts'
import type { Watchdog } from './watchdog/watchdog.ts'
import { followDefaultBranch, switchToDefaultBranch } from '../features/projects/sync.ts'

const syncsAtOnce = 2

/**
 * Works on jobs and syncs from the queue, and on scheduled tasks, until `ports.stopping` aborts.
 * @param publicUrl where people reach this server; empty while this process does not know it
 * @returns `settled` waits for work that cannot be returned to the queue once it was begun
 */
export async function workInBackground(
  services: Services,
  ports: RunPorts,
  {
    watchdog,
    publicUrl,
    kind,
    chats,
  }: { watchdog: Watchdog; publicUrl: () => string; kind: 'serve' | 'worker'; chats?: ChatWorker },
): Promise<{ settled(): Promise<void> }> {
  const { config, queue, log, store } = services
  const parsers = Array.from({ length: syncsAtOnce }, createParser)
  const indexes = createIndexPreparer(services, ports.stopping)
  const automations = createAutomations(services, publicUrl, ports.stopping)
  const noteForRules = async (projectId: string): Promise<void> => {
    const project = await findProject(store.db, projectId)
    const mirror = project && (await services.presentMirror(project))
    if (mirror)
      await automations.noteSync(projectId, mirror).catch((error: unknown) => {
        ports.stopping.throwIfAborted()
        log.warn({ projectId, err: error }, `Automations could not be read: ${messageOf(error)}`)
      })
  }
  await queue.work('sync', syncsAtOnce, async (projectId) => {
    const parser = parsers.pop() ?? createParser()
    try {
      await watchdog.during(`sync of ${projectId}`, () =>
        outlastTrouble(ports.stopping, () =>
          inSpan('sync', { 'docwright.project': projectId }, async (span) => {
            const changed = await syncOne(services, projectId, { parser, stopping: ports.stopping })
            span.set({ 'docwright.changed': changed })
            await noteForRules(projectId)
            indexes.begin(projectId)
          }),
        ),
      )
    } catch (error) {
      // The message returns to the queue, and another process continues.
      ports.stopping.throwIfAborted()
      // The failure is recorded on the project, and the next interval tries again.
      log.warn({ projectId, err: error }, `A sync failed: ${messageOf(error)}`)
    } finally {
      parsers.push(parser)
    }
  })
  if (store.engine === 'pglite') await store.transaction(endClaims)
  const turns = createTurnTaker(ports, (jobId, work) => watchdog.during(`job ${jobId}`, work))
  await queue.work('job', config.jobConcurrency, turns.runNext)

  await queue.work('enrich', 1, (projectId) =>
    watchdog.during(`enrichment of ${projectId}`, () => enrichOne(services, projectId, ports.stopping)),
  )

  startHeartbeat(services, kind, ports.stopping)
  // A worker builds what it has synchronized; servers answer searches.
  const prepareIndexes = kind === 'serve' ? indexes.sweep : undefined
  return startRegularTasks(services, ports, { publicUrl, prepareIndexes, chats, automations })
}

/** A repository that was renamed is read again at its new address. @returns whether other pages are indexed now */
async function syncOne(
  services: Services,
  projectId: string,
  run: Pick<SyncDependencies, 'parser' | 'stopping'>,
): Promise<boolean> {
  try {
    return await syncOnce(services, projectId, run)
  } catch (error) {
    if (!(error instanceof RepositoryRenamed)) throw error
    const { path } = error
    services.log.info({ projectId, path }, 'A repository was renamed: its project follows it')
    return syncOnce(services, projectId, run)
  }
}

async function syncOnce(
  services: Services,
  projectId: string,
  run: Pick<SyncDependencies, 'parser' | 'stopping'>,
): Promise<boolean> {
  const prior = await findProject(services.store.db, projectId)
  if (!prior) return false
  const remote = await services.remote(prior)
  // A failure here also makes the fetch fail, which records it on the project.
  const project = await switchToDefaultBranch(services, prior, remote).catch(() => prior)
  if (project.ref !== prior.ref)
    services.log.info(
      { projectId, from: prior.ref, to: project.ref },
      'Default branch changed; project updated',
    )
  // A mirror that was deleted to make room is not fetched again until there is something new to read.
  if (!(await services.presentMirror(project)) && (await isUnchanged(services, project, remote))) {
    await noteUnchanged(services.store, projectId)
    return false
  }
  const repository = await services.mirror(project, { isUse: false })
  const sync = (): Promise<void> =>
    syncProject(
      {
        store: services.store,
        machine: services.machine,
        fetchPublic: services.config.fetchDescriptions ? services.fetchPublic : undefined,
        open: async () => ({ repository, remote }),
        askHostWhy: ({ id }) => askHostWhy(services, id, 'read'),
        followDefault: ({ id, ref }) => followDefaultBranch(services, id, remote, ref),
        ...run,
      },
      project,
    )
  await sync().catch(async (error: unknown) => {
    // The thread that reads pages reports a damaged mirror by its message alone. The next fetch repairs it.
    noteCorruption(repository.folder, messageOf(error))
    if (!isSuspect(repository.folder)) throw error
    await sync()
  })
  await noteBlockingBranch(services.store, prior, await findBlockingNow(prior, { repository, remote }))
  await recordAllPushes(services.store, projectId, repository).catch((error: unknown) =>
    services.log.warn({ projectId, err: error }, 'What people pushed to branches of jobs was not noted'),
  )
  const now = await findProject(services.store.db, projectId)
  // The branch has moved, perhaps because somebody has merged a pull request by hand.
  if (now?.kind === 'path' && now.sync.commit !== prior.sync.commit)
    await syncPullRequests(localForgePorts(services), { id: now.id, domain: now.domain, repository, remote })
  return now?.sync.commit !== prior.sync.commit
}

// The mirror has no branches of a fork but our own.
async function findBlockingNow(
  { settings, blockingBranch }: Project,
  { repository, remote }: { repository: Repository; remote: Remote },
): Promise<string | undefined> {
  const prefix = withDefaults(settings).branchPrefix
  if (pushTarget(remote) === remote) return findBlocking(repository, prefix)
  return findBlockingAt(repository.git, remote, prefix).catch(() => blockingBranch)
}

async function isUnchanged({ git }: Services, project: Project, remote: Remote): Promise<boolean> {
  if (project.sync.state !== 'ready' || project.sync.commit === undefined) return false
  const { commit } = await checkRemote(git, remote, { branch: project.ref }).catch((error: unknown) => {
    // The branch was deleted, or the repository refuses: the sync finds out what to read now, or why.
    if (isRefusalOfGit(error) || (error instanceof AppError && error.code === 'not_found'))
      return { commit: undefined }
    throw error
  })
  return commit === project.sync.commit
}

async function enrichOne(services: Services, projectId: string, stopping: AbortSignal): Promise<void> {
  const { store, models, queue, log } = services
  const more = await outlastTrouble(stopping, async () => {
    const project = await findProject(store.db, projectId)
    return project !== undefined && enrichProject({ store, models, stopping }, project)
  })
  // Other projects come first: the rest waits behind them.
  if (more) return store.transaction((tx) => queue.send(tx, 'enrich', projectId))
  const { enrichment } = (await findProject(store.db, projectId)) ?? {}
  if (enrichment?.notice !== undefined) log.warn({ projectId }, enrichment.notice)
  if (enrichment?.state === 'failed' || enrichment?.state === 'ceiling')
    log.warn({ projectId, retryAt: enrichment.retryAt }, `Enrichment is stopped: ${enrichment.error}`)
}
