import { getJob } from '../../features/agent/jobs.ts'
import { findProject } from '../../features/projects/projects.ts'
import { messageOf } from '../../lib/errors.ts'
import { outlastTrouble } from '../../store/store-trouble.ts'
import { handleIncoming } from './bot/handle.ts'
import { isSettled, showJob } from './bot/job-message.ts'
import type { BotPorts } from './bot/ports.ts'
import { createBots } from './bots.ts'
import { claimEvents, endEvent, renewClaims, type ClaimedEvent } from './events.ts'
import { checkTokens } from './check-tokens.ts'
import { queueDigests } from './digests.ts'
import { queueReminders } from './posts.ts'
import { sendPosts } from './send-posts.ts'
import { createSockets } from './sockets.ts'
import { platforms } from './platforms.ts'
import { findChat, projectIdIn } from './table.ts'
import { listFollowed, noteProgress, type ChatThread } from './threads.ts'

const mostAtOnce = 8
const mostFollowed = 100
/** Milliseconds between two renewals of what is under way. */
const renewEvery = 5000

/** Answers what people write in chats. Any number of processes may do so on one store. */
export interface ChatWorker {
  /** Begins what waits, up to the limit. */
  sweep(): Promise<void>
  /** Brings the messages of jobs up to date. One process does it for all. */
  followJobs(): Promise<void>
  /** Opens and closes sockets by which platforms send events. */
  holdSockets(): Promise<void>
  /** Posts what channels are to be told of. */
  sendPosts(): Promise<void>
  /** Queues what nothing that happens brings. One process does it for all. */
  queueReminders(): Promise<void>
  /** Asks platforms whether the tokens of workspaces work. One process does it for all. */
  checkTokens(): Promise<void>
  /** When nothing is under way any more. */
  settled(): Promise<void>
}

export function createChatWorker(ports: BotPorts): ChatWorker {
  const { store } = ports
  const underWay = new Map<ClaimedEvent, Promise<void>>()
  const holdSockets = createSockets(ports)
  const botOf = createBots(ports)
  let renewing: NodeJS.Timeout | undefined

  async function answer(event: ClaimedEvent): Promise<void> {
    const chat = await findChat(store.db, event.chatId)
    if (!chat) return
    const delivery = platforms[chat.platform].read(event, chat)
    if (delivery.kind !== 'event') return
    const { incoming } = delivery
    const project = await findProject(store.db, await projectIdIn(store.db, chat, incoming.place.channel))
    if (project) await handleIncoming(ports, { ...botOf(chat), chat, project, event }, incoming)
  }

  async function work(event: ClaimedEvent): Promise<void> {
    const error = await answer(event).then(
      () => undefined,
      (thrown: unknown) => thrown ?? new Error('An event of a chat failed'),
    )
    // What a stopping process did not finish is done by the next one.
    if (error !== undefined && ports.stopping.aborted) return
    const again = await outlastTrouble(ports.stopping, () =>
      store.transaction((tx) => endEvent(tx, event, error === undefined ? undefined : messageOf(error))),
    )
    if (error !== undefined && !again) ports.reportError(error)
  }

  function begin(event: ClaimedEvent): void {
    const done = work(event)
      .catch(ports.reportError)
      .finally(() => {
        underWay.delete(event)
        if (underWay.size > 0) return
        clearInterval(renewing)
        renewing = undefined
      })
    underWay.set(event, done)
    renewing ??= setInterval(
      () => void renewClaims(store, [...underWay.keys()]).catch(ports.reportError),
      renewEvery,
    )
  }

  async function follow(thread: ChatThread): Promise<void> {
    const chat = await findChat(store.db, thread.chatId)
    const project = chat && (await findProject(store.db, thread.projectId))
    const job =
      project && thread.jobId !== undefined ? await getJob(store.db, project.id, thread.jobId) : undefined
    if (!chat || !project || !job) return
    const posting = showJob(ports, botOf(chat), project, job, thread)
    // A message that cannot be posted is not tried again before there is something new to say.
    const progress = await posting.catch((error: unknown) => {
      ports.reportError(error)
      return thread.progress
    })
    const noted = { progress, shown: job.revision, settled: isSettled(job) }
    await store.transaction((tx) => noteProgress(tx, thread, noted))
  }

  return {
    async sweep() {
      const limit = mostAtOnce - underWay.size
      if (limit <= 0 || ports.stopping.aborted) return
      for (const event of await claimEvents(store, limit)) begin(event)
    },
    async followJobs() {
      for (const thread of await listFollowed(store.db, mostFollowed))
        await follow(thread).catch(ports.reportError)
    },
    holdSockets,
    sendPosts: () => (ports.stopping.aborted ? Promise.resolve() : sendPosts(ports, botOf)),
    checkTokens: () => checkTokens(ports),
    async queueReminders() {
      await queueReminders(store, ports.publicUrl())
      await queueDigests(store, ports.publicUrl())
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay.values())
    },
  }
}
