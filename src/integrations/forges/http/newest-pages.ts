import type { PageReader } from './host-client.ts'
import { lastPage } from './next-page.ts'

type ListOptions<Item> = { max: number; pages: PageReader; until: (items: Item[]) => boolean }

/**
 * How to list what a host gives the oldest first, when the newest is wanted: the first page, which tells where the last
 * one is, and from that back to what is old, or until there are `enough`. What is found is in no order, with some more.
 */
export function newestPages<Item>(enough: number, isOld: (item: Item) => boolean): ListOptions<Item> {
  let isFirst = true
  let read = 0
  return {
    // `until` ends it between pages: within one, the newest would be cut off.
    max: Number.POSITIVE_INFINITY,
    pages({ body, headers, query }) {
      const page = Number(query['page'] ?? 1)
      const next = page === 1 ? (lastPage(headers) ?? 1) : page - 1
      return { items: body, next: next > 1 ? { ...query, page: next } : undefined }
    },
    until(items) {
      if (isFirst) {
        isFirst = false
        return false
      }
      read += items.length
      return read >= enough || items.some(isOld)
    },
  }
}
