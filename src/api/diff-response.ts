import type { RequestContext } from './endpoint.ts'

export const oneDiff = {
  description: 'The diff',
  content: { 'text/x-diff': { schema: { type: 'string' as const } } },
}

export function diffResponse(context: RequestContext, diff: string): Response {
  return context.body(diff, 200, {
    'Content-Type': 'text/x-diff; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
  })
}
