import type { z } from '@hono/zod-openapi'
import type { Exchange } from '../../../features/assistant/insights/conversations.ts'
import type { exchange } from '../../../nouns/insights/answers.ts'

export function exchangeBody(one: Exchange): z.output<typeof exchange> {
  return {
    ...one,
    sources: one.sources.map((cited) => ({ ...cited })),
    askedAt: one.askedAt.toISOString(),
    answeredAt: one.answeredAt?.toISOString() ?? null,
  }
}
