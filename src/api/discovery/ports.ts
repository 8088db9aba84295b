import type { AssistantProject } from '../../features/assistant/ports.ts'
import type { Tx } from '../../store/database.ts'
import type { RequestContext } from '../endpoint.ts'

/** Who may ask, and how often. All throw AppError. */
export interface AssistantGate<Project extends AssistantProject> {
  access: {
    /** The project that the path names, for whom may do this to it. */
    project(
      context: RequestContext,
      verb: 'askAssistant' | 'askAssistantV1' | 'search' | 'readPage',
    ): Promise<{ project: Project }>
  }
  limits: {
    /** Whether another request would be allowed; counts nothing. */
    look(context: RequestContext, project: Project): Promise<void>
    /** Counts the request, in the transaction that records its question. */
    take(tx: Tx, context: RequestContext, project: Project): Promise<void>
  }
}
