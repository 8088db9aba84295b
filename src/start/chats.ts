import { createMarkdownReader } from '../api/render/markdown/read-markdown.ts'
import { createChatWorker, type ChatWorker } from '../nouns/chats/worker.ts'
import { messageOf } from '../lib/errors.ts'
import type { Unfinished } from '../lib/unfinished.ts'
import { hostedPullsOf, pullRequestsOf, repositoryUrlOf } from './agent-ports.ts'
import { createAssistantPorts } from './assistant-ports.ts'
import type { Services } from './services.ts'

interface State {
  publicUrl(): string
  /** Aborts when this process is to end. */
  stopping: AbortSignal
  unfinished: Unfinished
}

/** What answers in the chats of this server’s projects. */
export function createChats(services: Services, { publicUrl, stopping, unfinished }: State): ChatWorker {
  const { store, queue, models, machine, secretKey, config, log } = services
  return createChatWorker({
    store,
    queue,
    models,
    machine,
    secretKey,
    publicUrl,
    stopping,
    repositoryUrl: repositoryUrlOf(publicUrl),
    pullRequests: pullRequestsOf(services),
    hostedPulls: hostedPullsOf(services),
    assistant: createAssistantPorts(services, { publicUrl, draining: stopping, unfinished }),
    readMarkdown: createMarkdownReader(),
    chatApis: config.chatApis,
    reportError: (error) => log.warn({ err: error }, `A chat could not be answered: ${messageOf(error)}`),
  })
}
