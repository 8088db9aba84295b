import { z } from 'zod'

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
const result = z.object({ path: text, url: text, title: text, heading: text, content: text })
const output = z.object({
  results: z.array(z.unknown()),
  unknown: z.array(z.string()).max(200).catch([]),
})

export type SearchResult = z.infer<typeof result>

/** The sections of a search's output, and the words that no page holds; invalid entries are left out. */
export function readFound(value: unknown): { results: SearchResult[]; unknown: string[] }[] {
  const parsed = output.safeParse(value)
  if (!parsed.success) return []
  const results = parsed.data.results.slice(0, 50).flatMap((item) => {
    const entry = result.safeParse(item)
    return entry.success ? [entry.data] : []
  })
  return [{ results, unknown: parsed.data.unknown }]
}
