import { z } from 'zod'
import type { HostApi } from '../http/host-client.ts'
import type { Query } from '../http/host-client-options.ts'

interface Page<S extends z.ZodType> {
  values: z.output<S>[]
  next?: string | null | undefined
}

/** The items of all pages, at most `max`: each page tells where the next one is. */
export async function listPages<S extends z.ZodType>(
  api: HostApi,
  path: string,
  item: S,
  options: { query?: Query; max: number; until?: (items: z.output<S>[]) => boolean },
): Promise<z.output<S>[]> {
  const page = z.object({ values: z.array(item), next: z.string().nullish() })
  const found: z.output<S>[] = []
  let place: string | undefined = path
  let query = options.query
  while (place !== undefined && found.length < options.max) {
    const answer: Page<S> = await api.get(place, page, query)
    const { values, next } = answer
    found.push(...values)
    const isEnd = values.length === 0 || options.until?.(values) === true
    // It holds the whole query.
    query = undefined
    place = isEnd || !next ? undefined : pathOf(next)
  }
  return found.slice(0, options.max)
}

// Of an address that Bitbucket gives only its path is used, so that no other host is ever asked.
function pathOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { pathname, search } = new URL(address)
  const start = pathname.indexOf('/2.0/')
  return start < 0 ? undefined : `${pathname.slice(start + '/2.0'.length)}${search}`
}
