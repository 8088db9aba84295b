import { z } from 'zod'

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
const result = z.object({ path: text, url: text, title: text, heading: text, content: text })
const output = z.object({ results: z.array(z.unknown()) })

export type SearchResult = z.infer<typeof result>

/** The sections of a search's output; invalid entries are left out. */
export function readResults(value: unknown): SearchResult[] {
  const parsed = output.safeParse(value)
  if (!parsed.success) return []
  return parsed.data.results.slice(0, 50).flatMap((item) => {
    const found = result.safeParse(item)
    return found.success ? [found.data] : []
  })
}
