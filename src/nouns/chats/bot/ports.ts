import type { ReadMarkdown } from '../../../api/render/markdown/read-markdown.ts'
import type { AssistantPorts } from '../../../features/assistant/ports.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { SecretKey } from '../../../lib/secret-box.ts'
import type { OncePorts } from '../../jobs/once.ts'
import type { Merging } from '../../pulls/run.ts'
import type { ClaimedEvent } from '../events.ts'
import type { ChatPlatform, Connection, Incoming } from '../platform.ts'
import type { ChatApis } from '../../../lib/chat-apis.ts'
import type { Chat } from '../table.ts'

/** What answering in a chat needs. */
export interface BotPorts extends OncePorts, Merging {
  assistant: AssistantPorts<Project>
  readMarkdown: ReadMarkdown
  secretKey: SecretKey
  chatApis: ChatApis
  reportError(error: unknown): void
  /** Aborts when this process is to end. */
  stopping: AbortSignal
}

/** A workspace’s side of its platform. */
export interface Bot {
  platform: ChatPlatform
  connection: Connection
}

/** What is being answered. */
export interface Turn extends Bot {
  chat: Chat
  project: Project
  event: ClaimedEvent
}

/** A turn of one kind. */
export type Of<Kind extends Incoming['kind']> = Extract<Incoming, { kind: Kind }>
