import { z } from '@hono/zod-openapi'
import { typedWholeNumber } from './whole-number.ts'

/** The `limit` of a list's query. */
export function limitUpTo(most: number, usual: number) {
  return typedWholeNumber(1, most).default(usual)
}

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
export function idCursor(kind: keyof typeof ids): z.ZodString {
  return z
    .string()
    .max(200, cursorRule)
    .refine((text) => ids[kind].test(text), cursorRule)
}

const ids = { job: /^job_[\w-]+$/, msg: /^msg_[\w-]+$/, run: /^run_[\w-]+$/ } as const
