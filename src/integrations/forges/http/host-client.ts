import type { z } from 'zod'
import { endingSignal } from '../../../lib/ending-signal.ts'
import { attempt, parseAnswer, type HostRequest, type Operation, type Settings } from './attempt.ts'
import { HostFailure, isAnswer } from './host-failure.ts'
import type { HostClientOptions, HostLimits, Query } from './host-client-options.ts'
import { nextQuery } from './next-page.ts'
import { scarcity } from './rate-limit.ts'
import type { WholeAnswer } from './send-request.ts'

/** Schemas should be lenient: only what is used, `nullish()` where a host may leave it out. */
export interface HostApi {
  /** Repeated on server errors and broken connections. @throws HostFailure */
  get<S extends z.ZodType>(path: string, schema: S, query?: Query): Promise<z.output<S>>
  /** As `get`; undefined for 404. */
  find<S extends z.ZodType>(path: string, schema: S, query?: Query): Promise<z.output<S> | undefined>
  /**
   * The items of all pages, at most `max`. Pages follow the `Link` header, unless `pages` reads a page's body and
   * returns the query of the next page, undefined after the last. Stops early when `until` returns true for a
   * page's items.
   */
  list<S extends z.ZodType>(
    path: string,
    item: S,
    options: { query?: Query; max: number; pages?: PageReader; until?: (items: z.output<S>[]) => boolean },
  ): Promise<z.output<S>[]>
  /** For requests that change nothing when they are repeated. They are repeated like reads. */
  replace<S extends z.ZodType>(
    method: 'PUT' | 'PATCH' | 'DELETE' | 'POST',
    path: string,
    body: unknown,
    schema: S,
  ): Promise<z.output<S>>
  /** Sent once, whatever comes of it: for what must not happen twice and cannot be looked for in between. */
  once<S extends z.ZodType>(
    method: 'PUT' | 'POST',
    path: string,
    body: unknown,
    schema: S,
  ): Promise<z.output<S>>
  /** DELETE. Something that is already gone is no error. */
  remove(path: string): Promise<void>
  /**
   * POST of something new. When an answer does not tell whether it was created, `find` looks for it, and only if
   * that finds nothing the request is sent again.
   */
  create<S extends z.ZodType>(
    path: string,
    body: unknown,
    schema: S,
    find: () => Promise<z.output<S> | undefined>,
  ): Promise<z.output<S>>
}

/** `total` counts the items up to and with this page. */
export type PageReader = (page: { body: unknown; headers: Headers; query: Query; total: number }) => {
  items: unknown
  next: Query | undefined
}

export interface HostClient {
  /**
   * Runs one operation: all requests of `work`, including waits for rate limits, share one deadline.
   * @param what a verb and its object, for messages: `open a pull request in owner/name`
   * @throws HostFailure (an AppError); `unavailable` names the time at which a rate limit ends
   */
  operation<T>(what: string, work: (api: HostApi) => Promise<T>): Promise<T>
  /** See `HostedRepository`. */
  scarceUntil(): Date | undefined
}

const usual: HostLimits = { request: 15_000, operation: 90_000, bytes: 24 * 1024 * 1024 }
const tries = 4

/** A JSON API over HTTP: deadlines, repetition, rate limits, pages, and errors that say what to do. */
export function createHostClient(options: HostClientOptions): HostClient {
  const limits = { ...usual, ...options.limits }
  let scarce: Date | undefined
  const note = (headers: Headers): void => {
    const limit = scarcity(headers, options.ports.now())
    if (limit !== undefined) scarce = limit === 'enough' ? undefined : limit
  }
  return {
    async operation(what, work) {
      using over = endingSignal({ milliseconds: limits.operation })
      const until = options.ports.now().getTime() + limits.operation
      return await work(createApi({ ...options, limits, note }, { what, signal: over.signal, until }))
    },
    scarceUntil: () => (scarce && scarce > options.ports.now() ? scarce : undefined),
  }
}

function createApi(settings: Settings, operation: Operation): HostApi {
  const ask = (request: HostRequest): Promise<WholeAnswer> =>
    persist(settings, operation, () => attempt(settings, operation, request), undefined)
  const read = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> =>
    parseAnswer(settings.name, operation.what, schema, value)
  return {
    get: async (path, schema, query) => read(schema, (await ask({ method: 'GET', path, query })).body),
    async find(path, schema, query) {
      try {
        return read(schema, (await ask({ method: 'GET', path, query })).body)
      } catch (error) {
        if (isAnswer(error, 404)) return undefined
        throw error
      }
    },
    async list(path, item, { query: first = {}, max, pages = byLink, until }) {
      const collected: z.output<typeof item>[] = []
      let query: Query | undefined = first
      while (query !== undefined && collected.length < max) {
        const { body, headers } = await ask({ method: 'GET', path, query })
        const size = Array.isArray(body) ? body.length : 0
        const page: ReturnType<PageReader> = pages({ body, headers, query, total: collected.length + size })
        const items = read(item.array(), page.items)
        collected.push(...items)
        // An empty page is the last one, even if it links another.
        query = items.length === 0 || until?.(items) === true ? undefined : page.next
      }
      return collected.slice(0, max)
    },
    replace: async (method, path, body, schema) => read(schema, (await ask({ method, path, body })).body),
    once: async (method, path, body, schema) =>
      read(schema, (await attempt(settings, operation, { method, path, body })).body),
    async remove(path) {
      try {
        await ask({ method: 'DELETE', path })
      } catch (error) {
        if (!isAnswer(error, 404)) throw error
      }
    },
    create: (path, body, schema, find) =>
      persist(
        settings,
        operation,
        async () => read(schema, (await attempt(settings, operation, { method: 'POST', path, body })).body),
        find,
      ),
  }
}

const byLink: PageReader = ({ body, headers, query }) => {
  const next = nextQuery(headers)
  return { items: body, next: next && { ...query, ...Object.fromEntries(next) } }
}

/** Repeats an attempt after pauses, as long as that may help and time is left. */
async function persist<T>(
  { ports }: Settings,
  { signal, until }: Operation,
  attempt: () => Promise<T>,
  find: (() => Promise<T | undefined>) | undefined,
): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof HostFailure) || error.code !== 'unavailable') throw error
      if (find && !error.refused) {
        const existing = await find()
        if (existing !== undefined) return existing
      }
      const pause = error.retryAt ? error.retryAt.getTime() - ports.now().getTime() : 500 * 2 ** (count - 1)
      const left = until - ports.now().getTime()
      if (count === tries || !error.passing || signal.aborted || pause >= left) throw error
      await ports.delay(Math.max(0, pause), signal).catch(() => {
        throw error
      })
    }
  }
}
