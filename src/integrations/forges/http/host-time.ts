import { z } from 'zod'

/** A time as hosts write it: ISO 8601, in whatever zone. */
export const hostTime = z
  .string()
  .transform((text) => new Date(text))
  .refine((time) => !Number.isNaN(time.getTime()), 'it is not a time')
