import { z } from '@hono/zod-openapi'

export const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .max(255)
    .optional()
    .describe(
      'Repeating a request with the same key within 24 hours returns the first response again, marked with `Idempotency-Replayed: true`, and does nothing else. 1 to 255 visible ASCII characters.',
    ),
})
