import { createHostFollower } from '../features/agent/hosts/follow-hosts.ts'
import { deleteOldReplies } from '../features/agent/idempotent-requests.ts'
import { sweepJobs } from '../features/agent/loop/sweep-jobs.ts'
import { endMachineWaits } from '../features/agent/turns.ts'
import type { RunPorts } from '../features/agent/turns/turn-run.ts'
import { deleteOldMessages } from '../features/agent/webhooks/messages.ts'
import { postDefaults } from '../features/agent/webhooks/post-webhook.ts'
import { createWebhookSender } from '../features/agent/webhooks/send-webhooks.ts'
import type { AutomationEngine } from '../features/automations/engine.ts'
import { createGrouper, findAllGaps } from '../features/assistant/gaps/find-gaps.ts'
import { deleteExpired } from '../features/assistant/insights/retention.ts'
import { deleteOldStreams } from '../features/assistant/streams/relay.ts'
import { deleteOldDeliveries } from '../features/connections/webhook.ts'
import { dueEnrichments, takeDueSyncs } from '../features/projects/sync.ts'
import { deleteStaleLimits } from '../features/projects/limits.ts'
import { deleteOldPreviews } from '../features/automations/previews/table.ts'
import { deleteOldEvents } from '../nouns/chats/events.ts'
import { deleteOldPosts } from '../nouns/chats/posts.ts'
import type { ChatWorker } from '../nouns/chats/worker.ts'
import { deleteOldAudit } from '../nouns/audit/table.ts'
import { findProject, findProjects, listProjects } from '../features/projects/projects.ts'
import { deleteExpiredSessions } from '../features/projects/sign-in.ts'
import { messageOf } from '../lib/errors.ts'
import { repeat } from '../lib/pause.ts'
import { createDuties } from '../store/duties.ts'
import { tidyTables } from '../store/tidy-tables.ts'
import { createAssistantPorts } from './assistant-ports.ts'
import { hostFollowPorts } from './hosts/host-follow-ports.ts'
import { maintainMirrors } from './mirrors/maintain-mirrors.ts'
import type { Services } from './services.ts'

/** What one process does for all. The last two need to know where people reach the server. */
const duties = ['tasks', 'webhooks without links', 'webhooks', 'hosts'] as const
type Duty = (typeof duties)[number]

/** Milliseconds after which a process that lacks a duty looks whether it has it now; that asks nobody. */
const patience = 250
/** Seconds between two looks for what is due. */
const lookEvery = 5

/**
 * Does what is due by the clock until `ports.stopping` aborts: one process for all that share the database, whichever
 * has the duty.
 * @param options.publicUrl where people reach this server; empty while this process does not know it
 * @param options.chats answers in chats, in each process that serves
 * @param options.prepareIndexes builds what searches in this process need, and is done by each process
 * @returns `settled` waits for what was begun
 */
export function startRegularTasks(
  services: Services,
  ports: RunPorts,
  {
    publicUrl,
    prepareIndexes,
    chats,
    automations,
  }: {
    publicUrl: () => string
    prepareIndexes: (() => Promise<void>) | undefined
    chats: ChatWorker | undefined
    automations: AutomationEngine
  },
): { settled(): Promise<void> } {
  const { config, queue, log, store } = services
  const { stopping } = ports
  const able = (): readonly Duty[] => duties.slice(0, publicUrl() === '' ? 2 : duties.length)
  const { has } = createDuties(store, able, stopping, (error) =>
    log.warn({ err: error }, `Regular tasks could not be shared out: ${messageOf(error)}`),
  )
  /** @param duty undefined: every process does it for itself */
  const every = (seconds: number, duty: Duty | undefined, work: () => Promise<unknown>): void => {
    repeat(stopping, async () => {
      const isOurs = duty === undefined || has(duty)
      if (isOurs) await work().catch((error: unknown) => log.error({ err: error }, 'A regular task failed'))
      return isOurs ? seconds * 1000 : patience
    }).catch(() => undefined)
  }

  let wasTroubled = false
  every(5, undefined, async () => {
    const isTroubled = services.machine.trouble() !== undefined
    if (wasTroubled && !isTroubled) await store.transaction(endMachineWaits)
    wasTroubled = isTroubled
  })
  every(3600, undefined, () => maintainMirrors(services, stopping))
  if (prepareIndexes) every(30, undefined, prepareIndexes)

  every(queue.tendEvery, 'tasks', queue.tend)
  every(lookEvery, 'tasks', () => sweepJobs({ store, queue }))
  every(Math.min(lookEvery, config.syncIntervalSeconds), 'tasks', () => queueSyncs(services))
  every(lookEvery, 'tasks', () => queueEnrichments(services))
  every(Math.min(lookEvery, config.syncIntervalSeconds), 'tasks', automations.findEvents)
  every(Math.min(lookEvery, config.syncIntervalSeconds), 'tasks', automations.lookAround)
  every(1, 'tasks', automations.startRuns)
  every(lookEvery, 'hosts', automations.tellPreviews)
  every(lookEvery, 'tasks', automations.mergeReady)
  every(600, 'tasks', () => tidyTables(store))
  every(3600, 'tasks', () =>
    store.transaction(async (tx) => {
      await deleteStaleLimits(tx)
      await deleteExpiredSessions(tx)
      await deleteOldAudit(tx, config.auditRetentionDays)
      await deleteOldMessages(tx)
      await deleteOldReplies(tx)
      await deleteOldDeliveries(tx)
      await deleteOldStreams(tx)
      await deleteOldEvents(tx)
      await deleteOldPosts(tx)
      await deleteOldPreviews(tx)
    }),
  )
  every(3600, 'tasks', async () =>
    deleteExpired(store, await listProjects(store.db), config.threadRetentionDays),
  )
  const gaps = {
    assistant: createAssistantPorts(services, { publicUrl, draining: stopping }),
    grouper: createGrouper(),
    upToDate: async (id: string) => {
      // A merge queues a sync, so that none on its way means that its pages are stored.
      if ((await queue.liveKeys('sync', [id])).has(id)) return undefined
      const project = await findProject(store.db, id)
      if (!project) return undefined
      await services.indexes.ready(project)
      return services.indexes.isCurrent(project) ? project : undefined
    },
    stopping,
  }
  every(10, 'tasks', () =>
    findAllGaps(
      gaps,
      (ids) => findProjects(store.db, ids),
      (project, error) =>
        log.warn({ projectId: project.id, err: error }, `Gaps could not be looked for: ${messageOf(error)}`),
    ),
  )
  const webhooks = createWebhookSender({
    ...postDefaults,
    store,
    secretKey: services.secretKey,
    toPrivate: config.webhooksToPrivate,
    publicUrl: () => publicUrl() || undefined,
    reportError: (error) => log.error({ err: error }, 'The result of a webhook could not be written down'),
    stopping,
  })
  const sends = (): boolean => has(publicUrl() === '' ? 'webhooks without links' : 'webhooks')
  every(1, undefined, async () => (sends() ? webhooks.sweep() : undefined))
  const hosts = createHostFollower(hostFollowPorts(services, ports))
  // Comments and statuses on hosts link to the job, so that a worker that does not know the public address leaves them
  // to the servers.
  every(2, 'hosts', hosts.sweep)
  if (chats) {
    every(0.5, undefined, chats.sweep)
    every(1, 'tasks', chats.followJobs)
    every(1, undefined, chats.sendPosts)
    every(2, undefined, chats.holdSockets)
    every(600, 'tasks', chats.queueReminders)
    every(600, 'tasks', chats.checkTokens)
  }
  return {
    async settled() {
      await Promise.all([webhooks.settled(), hosts.settled(), chats?.settled()])
    },
  }
}

async function queueEnrichments({ store, queue }: Services): Promise<void> {
  const due = await dueEnrichments(store.db)
  if (due.length === 0) return
  const live = await queue.liveKeys('enrich', due)
  const missing = due.filter((id) => !live.has(id))
  if (missing.length > 0) await store.transaction((tx) => queue.sendAll(tx, 'enrich', missing))
}

async function queueSyncs({ config, store, queue }: Services): Promise<void> {
  await store.transaction(async (tx) => {
    const due = await takeDueSyncs(tx, config.syncIntervalSeconds)
    if (due.length === 0) return
    const live = await queue.liveKeys('sync', due, tx)
    await queue.sendAll(
      tx,
      'sync',
      due.filter((id) => !live.has(id)),
    )
  })
}
