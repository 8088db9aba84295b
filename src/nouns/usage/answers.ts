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

export const modelOffer = z
  .object({
    models: z.array(
      z.object({
        name: z.string(),
        price: z
          .object({ input: z.number(), output: z.number() })
          .nullable()
          .describe('USD per million tokens; null when it is not known.'),
        context: z.int().nullable().describe('Tokens that it can read at once; null when that is not known.'),
      }),
    ),
    problems: z.array(z.string()).describe('Why the list of a provider may be incomplete.'),
  })
  .openapi('OfferedModels', { description: 'The models that this server knows.' })

export const triedModel = z.object({ outcome: z.string().describe('A sentence for people.') })

export const limitUse = z
  .object({
    name: z.string(),
    label: z.string(),
    used: z.number(),
    most: z.number().nullable().describe('Null when nothing limits it.'),
    unit: z.enum(['requests', 'tokens', 'dollars']),
    window: z.enum(['hour', 'day', 'month']).describe('The last hour; today and this month by UTC.'),
  })
  .openapi('LimitUse', { description: 'How much of a limit is used.' })

export const limitSize = z
  .object({
    name: z.string().describe('As the headers of a refused request name it.'),
    seconds: z.number().describe('The window.'),
    size: z.number().describe('Requests in a window at present.'),
    default: z.number(),
    server: z.number().nullable().describe('What was chosen for the server.'),
    organization: z.number().nullable().describe('What was chosen for the organization.'),
  })
  .openapi('LimitSize', { description: 'The size of a limit in an organization.' })
