import { z } from '@hono/zod-openapi'

/** What models have used, as every answer says it. */
export const used = {
  inputTokens: z.int(),
  cachedInputTokens: z.int().describe('Input tokens that came from the provider’s cache.'),
  outputTokens: z.int(),
  cost: z.number().nullable().describe('USD; null when a price is unknown.'),
}

export const usageSum = z
  .object({
    surface: z.enum(['agent', 'assistant', 'enrichment']),
    model: z.string(),
    calls: z.int(),
    ...used,
  })
  .openapi('Usage', { description: 'What the models of a project have used.' })
