import type { RouteConfig, z } from '@hono/zod-openapi'
import { errorBody } from './contract.ts'

const conditions = {
  400: 'Invalid request',
  401: 'No key, or a malformed, unknown, revoked or expired one',
  403: 'A valid key that may not do this, or not from this origin',
  404: 'Nothing there for this key',
  409: 'The first request with this `Idempotency-Key` is still running',
  413: 'Body over the limit: 1 MiB for jobs, 16 MiB for the assistant',
  422: 'This `Idempotency-Key` came with another body before',
  429: 'Rate limit exceeded',
  503: 'Stopping, or the database is away, or the machine takes no work',
} as const

/** The responses of an endpoint with a key: its own and the errors that it can give. */
export function responsesOf(
  success: RouteConfig['responses'],
  errors: (keyof typeof conditions)[] = [],
): RouteConfig['responses'] {
  const all = [...new Set([...errors, 401, 403, 404, 503] as const)].sort((a, b) => a - b)
  return {
    ...success,
    ...Object.fromEntries(
      all.map((status) => [status, { description: conditions[status], content: jsonContent(errorBody) }]),
    ),
  }
}

export function jsonContent(schema: z.ZodType): { 'application/json': { schema: z.ZodType } } {
  return { 'application/json': { schema } }
}
