import { z } from '@hono/zod-openapi'
import type { RequestContext } from './endpoint.ts'

/** How a unified diff is described, and sent. */
export const diffAnswer = ['The diff', z.string(), 'text/x-diff'] as const

export function diffResponse(context: RequestContext, diff: string): Response {
  return context.body(diff, 200, {
    'Content-Type': 'text/x-diff; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
  })
}
