import { setTimeout as delay } from 'node:timers/promises'
import { runJob } from '../features/agent/loop/run-job.ts'
import type { RunPorts } from '../features/agent/turns/turn-run.ts'
import { sweepJobs } from '../features/agent/sweep-jobs.ts'
import { endMachineWaits } from '../features/agent/turns.ts'
import { deleteOldMessages } from '../features/agent/webhooks/messages.ts'
import { postDefaults } from '../features/agent/webhooks/post-webhook.ts'
import { createWebhookSender } from '../features/agent/webhooks/send-webhooks.ts'
import { recordAllPushes } from '../features/agent/workspace/job-work.ts'
import { deleteOldReplies } from '../features/agent/idempotent-requests.ts'
import { createGrouper, findGaps } from '../features/assistant/gaps/find-gaps.ts'
import { deleteExpired } from '../features/assistant/insights/retention.ts'
import { enrichProject } from '../features/docs/enrich/enrich-project.ts'
import { deleteOldStreams } from '../features/assistant/streams/relay.ts'
import {
  createParser,
  noteUnchanged,
  syncProject,
  type SyncDependencies,
} from '../features/docs/sync-project.ts'
import { deleteStaleLimits } from '../features/projects/limits.ts'
import {
  followDefaultBranch,
  switchToDefaultBranch,
} from '../features/projects/connections/follow-default-branch.ts'
import { findProject, listProjects, noteBlockingBranch, type Project } from '../features/projects/projects.ts'
import { createHostFollower } from '../features/agent/hosts/follow-hosts.ts'
import { deleteOldDeliveries } from '../features/projects/connections/deliveries.ts'
import { defaultBranchPrefix } from '../integrations/git/branch-prefix.ts'
import { findBlocking, findBlockingAt } from '../integrations/git/remotes/find-blocking.ts'
import { checkRemote } from '../integrations/git/remotes/check-remote.ts'
import { isSuspect, noteCorruption } from '../integrations/git/corruption.ts'
import type { Repository } from '../integrations/git/git.ts'
import { pushTarget, type Remote } from '../integrations/git/remote.ts'
import { evictMirrors } from './mirrors/evict-mirrors.ts'
import { hostFollowPorts } from './hosts/host-follow-ports.ts'
import { deleteOldAudit } from '../features/projects/people/audit.ts'
import { deleteExpiredSessions } from '../features/projects/sign-in.ts'
import { maintainRepository } from '../integrations/git/mirrors/maintain-repository.ts'
import { syncPullRequests } from '../integrations/forges/local/pull-request-state.ts'
import { AppError, messageOf } from '../lib/errors.ts'
import { inSpan } from '../lib/trace.ts'
import { outlastTrouble } from '../store/store-trouble.ts'
import { tidyTables } from '../store/tidy-tables.ts'
import { localForgePorts } from './agent-ports.ts'
import { createAssistantPorts } from './assistant-ports.ts'
import { startHeartbeat } from './heartbeat.ts'
import { createIndexPreparer } from './prepare-indexes.ts'
import type { Services } from './services.ts'
import type { Watchdog } from './watchdog/watchdog.ts'

const syncsAtOnce = 2

/**
 * Works on jobs and syncs from the queue, and on scheduled tasks, until `ports.stopping` aborts.
 * @param publicUrl where people reach this server; empty while this process does not know it
 * @returns `settled` waits for work that cannot be returned to the queue once it was begun
 */
export async function workInBackground(
  services: Services,
  ports: RunPorts,
  { watchdog, publicUrl, kind }: { watchdog: Watchdog; publicUrl: () => string; kind: 'serve' | 'worker' },
): Promise<{ settled(): Promise<void> }> {
  const { config, queue, log, store } = services
  const parsers = Array.from({ length: syncsAtOnce }, createParser)
  const indexes = createIndexPreparer(services, ports.stopping)
  await queue.work('sync', syncsAtOnce, async (projectId) => {
    const parser = parsers.pop() ?? createParser()
    try {
      await watchdog.during(`sync of ${projectId}`, () =>
        outlastTrouble(ports.stopping, () =>
          inSpan('sync', { 'docwright.project': projectId }, async (span) => {
            const changed = await syncOne(services, projectId, { parser, stopping: ports.stopping })
            span.set({ 'docwright.changed': changed })
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
  await queue.work('job', config.jobConcurrency, (jobId) =>
    watchdog.during(`job ${jobId}`, () => runJob(ports, jobId)),
  )

  await queue.work('enrich', 1, (projectId) =>
    watchdog.during(`enrichment of ${projectId}`, () => enrichOne(services, projectId, ports.stopping)),
  )

  startHeartbeat(services, kind, ports.stopping)
  let wasTroubled = false
  every(services, 5, ports.stopping, async () => {
    const isTroubled = services.machine.trouble() !== undefined
    if (wasTroubled && !isTroubled) await store.transaction(endMachineWaits)
    wasTroubled = isTroubled
    await sweepJobs({ store, queue })
  })
  every(services, config.syncIntervalSeconds, ports.stopping, () => queueSyncs(services))
  every(services, 5, ports.stopping, () => queueEnrichments(services))
  // A worker builds what it has synchronized; servers answer searches.
  if (kind === 'serve') every(services, 30, ports.stopping, indexes.sweep)
  every(services, 600, ports.stopping, () => tidyTables(store))
  every(services, 3600, ports.stopping, async () => {
    await maintainMirrors(services, ports.stopping)
    await evictMirrors(services)
  })
  every(services, 3600, ports.stopping, () =>
    store.transaction(async (tx) => {
      await deleteStaleLimits(tx)
      await deleteExpiredSessions(tx)
      await deleteOldAudit(tx, config.auditRetentionDays)
      await deleteOldMessages(tx)
      await deleteOldReplies(tx)
      await deleteOldDeliveries(tx)
      await deleteOldStreams(tx)
    }),
  )
  every(services, 3600, ports.stopping, async () =>
    deleteExpired(store, await listProjects(store.db), config.threadRetentionDays),
  )
  const gaps = {
    assistant: createAssistantPorts(services, { publicUrl, draining: ports.stopping }),
    grouper: createGrouper(),
    upToDate: async (id: string) => {
      // A merge queues a sync, so that none on its way means that its pages are stored.
      if ((await queue.liveKeys('sync')).has(id)) return undefined
      const project = await findProject(store.db, id)
      if (!project) return undefined
      await services.indexes.ready(project)
      return services.indexes.isCurrent(project) ? project : undefined
    },
    stopping: ports.stopping,
  }
  every(services, 10, ports.stopping, async () => {
    for (const project of await listProjects(store.db))
      await findGaps(gaps, project).catch((error: unknown) =>
        log.warn({ projectId: project.id, err: error }, `Gaps could not be looked for: ${messageOf(error)}`),
      )
  })
  const webhooks = createWebhookSender({
    ...postDefaults,
    store,
    secretKey: services.secretKey,
    toPrivate: config.webhooksToPrivate,
    publicUrl: () => publicUrl() || undefined,
    reportError: (error) => log.error({ err: error }, 'The result of a webhook could not be written down'),
    stopping: ports.stopping,
  })
  const hosts = createHostFollower(hostFollowPorts(services, ports))
  every(services, 1, ports.stopping, webhooks.sweep)
  // Comments and statuses on hosts link to the job. A worker that does not know the public address leaves them to
  // the servers.
  every(services, 2, ports.stopping, async () => (publicUrl() === '' ? undefined : hosts.sweep()))
  return {
    async settled() {
      await Promise.all([webhooks.settled(), hosts.settled()])
    },
  }
}

/** @returns whether other pages are indexed now */
async function syncOne(
  services: Services,
  projectId: string,
  run: Pick<SyncDependencies, 'parser' | 'stopping'>,
): Promise<boolean> {
  const found = await findProject(services.store.db, projectId)
  if (!found) return false
  const remote = await services.remote(found)
  // A failure here also makes the fetch fail, which records it on the project.
  const project = await switchToDefaultBranch(services, found, remote).catch(() => found)
  if (project.ref !== found.ref)
    services.log.info({ projectId, from: found.ref, to: project.ref }, 'A project follows its default branch')
  // A mirror that was deleted to make room is not fetched again until there is something new to read.
  if (!(await services.hasMirror(project)) && (await isUnchanged(services, project, remote))) {
    await noteUnchanged(services.store, projectId)
    return false
  }
  const repository = await services.mirror(project, { isUse: false })
  const sync = (): Promise<void> =>
    syncProject(
      {
        store: services.store,
        machine: services.machine,
        open: async () => ({ repository, remote }),
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
  await noteBlockingBranch(services.store, found, await findBlockingNow(found, { repository, remote }))
  await recordAllPushes(services.store, projectId, repository).catch((error: unknown) =>
    services.log.warn({ projectId, err: error }, 'What people pushed to branches of jobs was not noted'),
  )
  const now = await findProject(services.store.db, projectId)
  // The branch has moved, perhaps because somebody has merged a pull request by hand.
  if (now?.kind === 'path' && now.sync.commit !== found.sync.commit)
    await syncPullRequests(localForgePorts(services), { id: now.id, domain: now.domain, repository, remote })
  return now?.sync.commit !== found.sync.commit
}

// The mirror has no branches of a fork but our own.
async function findBlockingNow(
  { settings, blockingBranch }: Project,
  { repository, remote }: { repository: Repository; remote: Remote },
): Promise<string | undefined> {
  const prefix = settings.branchPrefix ?? defaultBranchPrefix
  if (pushTarget(remote) === remote) return findBlocking(repository, prefix)
  return findBlockingAt(repository.git, remote, prefix).catch(() => blockingBranch)
}

async function isUnchanged({ git }: Services, project: Project, remote: Remote): Promise<boolean> {
  if (project.sync.state !== 'ready' || project.sync.commit === undefined) return false
  const { commit } = await checkRemote(git, remote, { branch: project.ref }).catch((error: unknown) => {
    // The branch was deleted: the sync finds out which branch to read now.
    if (error instanceof AppError && error.code === 'not_found') return { commit: undefined }
    throw error
  })
  return commit === project.sync.commit
}

/** Shorter than the time that others wait for a repository's lock. */
const maintenanceTime = 300_000

async function maintainMirrors(services: Services, stopping: AbortSignal): Promise<void> {
  for (const project of await listProjects(services.store.db)) {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(maintenanceTime)])
    if (!(await services.hasMirror(project))) continue
    const mirror = await services.mirror(project, { isUse: false })
    await maintainRepository(mirror, signal).catch((error: unknown) =>
      services.log.warn({ projectId: project.id, err: error }, 'A mirror could not be tidied up'),
    )
  }
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
  if (enrichment?.state === 'failed' || enrichment?.state === 'ceiling')
    log.warn({ projectId, retryAt: enrichment.retryAt }, `Enrichment stands still: ${enrichment.error}`)
}

async function queueEnrichments({ store, queue }: Services): Promise<void> {
  const due = (await listProjects(store.db)).filter(
    ({ enrichment, sync }) => enrichment?.isDue === true && sync.state !== 'syncing',
  )
  if (due.length === 0) return
  const live = await queue.liveKeys('enrich')
  for (const { id } of due) if (!live.has(id)) await store.transaction((tx) => queue.send(tx, 'enrich', id))
}

async function queueSyncs({ store, queue }: Services): Promise<void> {
  const live = await queue.liveKeys('sync')
  for (const project of await listProjects(store.db))
    if (!live.has(project.id)) await store.transaction((tx) => queue.send(tx, 'sync', project.id))
}

function every(
  services: Services,
  seconds: number,
  stopping: AbortSignal,
  work: () => Promise<unknown>,
): void {
  const loop = async (): Promise<void> => {
    while (!stopping.aborted) {
      await work().catch((error: unknown) => services.log.error({ err: error }, 'A regular task failed'))
      await delay(seconds * 1000, undefined, { signal: stopping })
    }
  }
  loop().catch(() => undefined)
}
