import { z } from '@hono/zod-openapi'
import type { RouteConfig } from '@hono/zod-openapi'
import type { Tx } from '../../store/database.ts'
import type { AssistantProject } from '../../features/assistant/ports.ts'
import { errorBody } from '../contract.ts'
import type { RequestContext } from '../endpoint.ts'

/** Who may ask, and how often. All throw AppError. */
export interface AssistantGate<Project extends AssistantProject> {
  access: {
    /** Judges the key, then its origin, then whether the domain is the key's. */
    assistantProject(context: RequestContext, domain: string): Promise<Project>
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

const conditions: Record<number, string> = {
  400: 'Invalid request',
  401: 'No key, or a malformed, unknown, revoked or expired one',
  403: 'A valid key that may not do this, or not from this origin',
  404: 'No such domain for this key',
  413: 'Body over 16 MiB',
  429: 'Rate limit exceeded',
  503: 'Stopping, or the database is away',
}

export function responsesOf(
  success: RouteConfig['responses'],
  without: number[] = [],
): RouteConfig['responses'] {
  const errors = Object.entries(conditions)
    .filter(([status]) => !without.includes(Number(status)))
    .map(([status, description]) => [status, { description, content: jsonContent(errorBody) }] as const)
  return { ...success, ...Object.fromEntries(errors) }
}

export function jsonContent(schema: z.ZodType): { 'application/json': { schema: z.ZodType } } {
  return { 'application/json': { schema } }
}
