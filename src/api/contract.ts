import { z } from '@hono/zod-openapi'

export const errorBody = z
  .object({ error: z.string().describe('Human-readable error message.') })
  .openapi('Error', { description: 'What every error answers.' })
