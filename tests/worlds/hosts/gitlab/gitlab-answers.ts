import type { ApiAnswer, ApiRequest } from '../described-server.ts'
import type { FakeUser } from './gitlab-state.ts'

/** One page of a list, with the links that lead on. */
export function page(request: ApiRequest, items: unknown[], pageSize: number): ApiAnswer {
  const { path, query } = request
  const number = Number(query.get('page') ?? 1)
  const size = Math.min(pageSize, Number(query.get('per_page') ?? 20))
  const next = new URLSearchParams({ ...Object.fromEntries(query), page: String(number + 1) })
  const isLast = number * size >= items.length
  // The address that others see the host by.
  const link = `<https://gitlab.example/api/v4${path}?${next.toString()}>; rel="next"`
  return {
    status: 200,
    headers: isLast ? {} : { link },
    body: items.slice((number - 1) * size, number * size),
  }
}

export const notFound = (what: string): ApiAnswer => ({
  status: 404,
  body: { message: `404 ${what}Not Found` },
})

export function person({ id, username, state = 'active' }: FakeUser): Record<string, unknown> {
  return { id, username, name: username, state, web_url: `https://gitlab.example/${username}` }
}

/** The parts of a path, decoded: `projects`, `docs/handbook`, `merge_requests`. */
export function segmentsOf({ path }: ApiRequest): string[] {
  return path.split('/').slice(1).map(decodeURIComponent)
}
