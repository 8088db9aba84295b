import { z } from 'zod'

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
const result = z.object({ path: text, url: text, title: text, heading: text, content: text })
const output = z.object({
  results: z.array(z.unknown()),
  near: z.array(z.unknown()).catch([]),
  unknown: z.array(z.string()).max(200).catch([]),
  rarities: z.record(z.string(), z.number()).catch({}),
  leads: z.boolean().catch(false),
})

export interface SearchResult extends z.infer<typeof result> {
  /** What it stands for besides its content. */
  about?: string
}

interface Found {
  results: SearchResult[]
  /** What is not likely about the query. */
  near: SearchResult[]
  /** Words of the query that no page holds. */
  unknown: string[]
  /** How rare words of the query are on the site, from 0 to 1; empty where that is not known. */
  rarities: Record<string, number>
  /** Whether the first result is the page that is asked for, whatever its words. */
  leads: boolean
}

/** A search's output; invalid entries are left out. */
export function readFound(value: unknown): Found[] {
  const parsed = output.safeParse(value)
  if (!parsed.success) return []
  const { results, near, unknown, rarities, leads } = parsed.data
  return [{ results: readResults(results), near: readResults(near), unknown, rarities, leads }]
}

function readResults(items: readonly unknown[]): SearchResult[] {
  return items.slice(0, 50).flatMap((item) => {
    const entry = result.safeParse(item)
    return entry.success ? [entry.data] : []
  })
}
