import type { PageReader } from './host-client.ts'
import { lastPage } from './next-page.ts'

type ListOptions<Item> = { pages: PageReader; until: (items: Item[]) => boolean }

/**
 * How to list what a host gives the oldest first, when the newest is wanted: the first page, which tells where the last
 * one is, and from that back to what is old. What is found is in no order.
 */
export function newestPages<Item>(isOld: (item: Item) => boolean): ListOptions<Item> {
  let isFirst = true
  return {
    pages({ body, headers, query }) {
      const page = Number(query['page'] ?? 1)
      const next = page === 1 ? (lastPage(headers) ?? 1) : page - 1
      return { items: body, next: next > 1 ? { ...query, page: next } : undefined }
    },
    until(items) {
      const isEnd = !isFirst && items.some(isOld)
      isFirst = false
      return isEnd
    },
  }
}
