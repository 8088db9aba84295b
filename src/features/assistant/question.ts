import type { Attachment } from './attachments.ts'
import type { Check } from './check.ts'
import type { CallerColumn } from '../../store/columns.ts'
import type { Tx } from '../../store/database.ts'
import type { NewQuestion, Said } from './threads/messages.ts'
import type { AssistantProject, ContextItem, SearchFilter } from './ports.ts'

/** What one request asks, with all that shapes the answer. */
export interface Question<Project extends AssistantProject = AssistantProject> {
  project: Project
  /** Undefined begins a thread. */
  threadId: string | undefined
  question: NewQuestion
  /** What the client says was said before; undefined when it sent the question alone. */
  history: Said[] | undefined
  pageSize: number
  filter: SearchFilter | undefined
  currentPath: string | undefined
  caller: CallerColumn
  /** The client's id of the chat, empty where it has none; undefined for an answer that cannot be resumed. */
  chatId?: string | undefined
  context: ContextItem[]
  /** Asks without being recorded, charged or counted as a question of a reader. */
  check?: Check | undefined
  /** Files that came with the question. */
  attachments?: Attachment[] | undefined
  /** Aborted when the client has left. */
  signal: AbortSignal
  /** Counts the request, in the transaction that records it. */
  charge(tx: Tx): Promise<void>
}
