import { z } from '@hono/zod-openapi'

/** Said of a `cursor` that no page of the list has given. */
export const cursorRule = 'is not a cursor of this list; take it from `nextCursor`'

/** The cursor of a list that is counted: how many entries come before. */
export const offsetCursor = z
  .string()
  .regex(/^[0-9]{1,9}$/, cursorRule)
  .openapi({ example: '20' })

/** The cursor after a page that was asked for with one entry more than it shows; null after the last one. */
export function nextOffset(
  found: number,
  { offset, limit }: { offset: number; limit: number },
): string | null {
  return found > limit ? String(offset + limit) : null
}

/** The cursor of a list of things: the id of the last one, such as `job_…`. */
export function idCursor(prefix: 'job' | 'msg'): z.ZodString {
  const form = new RegExp(`^${prefix}_[\\w-]+$`)
  return z
    .string()
    .max(200, cursorRule)
    .refine((text) => form.test(text), cursorRule)
}
