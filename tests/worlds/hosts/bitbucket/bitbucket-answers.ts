import type { ApiAnswer, ApiRequest } from '../described-server.ts'
import type { FakeAccount, FakeBitbucketState } from './bitbucket-state.ts'

export function refused(status: number, message: string, more: Record<string, unknown> = {}): ApiAnswer {
  return { status, body: { type: 'error', error: { message, ...more } } }
}

export const notFound = refused(404, 'Resource not found')

/** One page of a list, with the address of the next one: on Bitbucket's own host, wherever this one is. */
export function page(
  { api, pageSize }: FakeBitbucketState,
  request: ApiRequest,
  items: unknown[],
): ApiAnswer {
  const { path, query } = request
  const number = Number(query.get('page') ?? 1)
  const size = Math.min(pageSize, Number(query.get('pagelen') ?? 10))
  const next = new URLSearchParams(query)
  next.set('page', String(number + 1))
  const isLast = number * size >= items.length
  return {
    status: 200,
    body: {
      pagelen: size,
      page: number,
      size: items.length,
      values: items.slice((number - 1) * size, number * size),
      ...(isLast ? {} : { next: `${api}${path}?${next.toString()}` }),
    },
  }
}

export function account({ uuid, nickname, type }: FakeAccount): Record<string, unknown> {
  return { type: type ?? 'user', uuid, nickname, display_name: nickname }
}

/** What a query asks a field to be: `source.branch.name = "work"`. */
export function asked(request: ApiRequest, field: string): string | undefined {
  const query = request.query.get('q')
  if (query === null) return undefined
  const text = query.startsWith(`${field} = `) ? query.slice(`${field} = `.length) : undefined
  if (text === undefined) throw new Error(`the query ${query} is not understood`)
  return text.slice(1, -1).replaceAll(/\\(.)/g, '$1')
}
