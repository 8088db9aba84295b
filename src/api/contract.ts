import { z } from '@hono/zod-openapi'

export const errorBody = z
  .object({ error: z.string().describe('What is wrong and what to do, in words for people.') })
  .openapi('Error', { description: 'What every error answers.' })
