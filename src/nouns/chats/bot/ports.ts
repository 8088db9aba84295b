import type { Thread as ChatThread } from 'chat'
import type { ReadMarkdown } from '../../../api/render/markdown/read-markdown.ts'
import type { AssistantPorts } from '../../../features/assistant/ports.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { Merging } from '../../pulls/run.ts'
import type { OncePorts } from '../../jobs/once.ts'
import type { SecretKey } from '../../../lib/secret-box.ts'
import type { ClaimedEvent } from '../events.ts'
import type { Chat } from '../table.ts'

/** What answering in a chat needs. */
export interface BotPorts extends OncePorts, Merging {
  assistant: AssistantPorts<Project>
  readMarkdown: ReadMarkdown
  secretKey: SecretKey
  /** Where Slack answers. */
  slackApi: string
  reportError(error: unknown): void
  /** Aborts when this process is to end. */
  stopping: AbortSignal
}

/** A thread of the library. What we keep of it stands in our own rows. */
export type Thread = ChatThread<unknown>

/** What is being answered. */
export interface Turn {
  chat: Chat
  project: Project
  event: ClaimedEvent
}
