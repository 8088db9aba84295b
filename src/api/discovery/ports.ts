import { z } from '@hono/zod-openapi'
import type { Tx } from '../../store/database.ts'
import type { AssistantProject } from '../../features/assistant/ports.ts'
import type { AssistantScope } from '../../features/projects/keys.ts'
import type { RequestContext } from '../endpoint.ts'

/** Who may ask, and how often. All throw AppError. */
export interface AssistantGate<Project extends AssistantProject> {
  access: {
    /** Judges the key, then its origin, then whether the domain is the key's. */
    assistantProject(context: RequestContext, domain: string, scope?: AssistantScope): Promise<Project>
  }
  limits: {
    /** Whether another request would be allowed; counts nothing. */
    look(context: RequestContext, project: Project): Promise<void>
    /** Counts the request, in the transaction that records its question. */
    take(tx: Tx, context: RequestContext, project: Project): Promise<void>
  }
}

export const domainParameter = z.object({
  domain: z
    .string()
    .openapi({ description: 'The project’s domain: the end of its address in the dashboard.' }),
})
