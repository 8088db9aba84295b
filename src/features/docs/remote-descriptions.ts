import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { endingSignal } from '../../lib/ending-signal.ts'
import { messageOf } from '../../lib/errors.ts'
import { makeStorable } from '../../lib/text/plain-text.ts'
import type { Store } from '../../store/database.ts'

/** A description of an API on the web, as it is kept. */
export interface RemoteDescription {
  content: string | undefined
  /** The hash of its text, or of why there is none. */
  oid: string
  /** Why there is no text. */
  why: string
}

export interface RemoteDescriptions {
  /** Fetches those again that were tried long ago. @returns whether any has another text now */
  refresh(): Promise<boolean>
  /** The hashes of those that were fetched, by address. */
  oids(): Promise<Map<string, string>>
  /** The kept one, or that of the web. */
  get(address: string): Promise<RemoteDescription>
  /** Forgets all that pages do not name any more. */
  keep(addresses: readonly string[]): Promise<void>
}

interface Kept {
  content: string | null
}

interface Fetched {
  text?: string
  failure?: string
}

/** Descriptions that one project may name. */
const mostKept = 20
const mostBytes = 5_000_000
const mostRedirects = 3
/** Milliseconds of one attempt with all its redirects. */
const deadline = 15_000
/** Seconds between two attempts. */
const patience = 3600

/** @param fetch connects to public addresses only; undefined where the operator allows no fetching */
export function remoteDescriptions(
  store: Store,
  projectId: string,
  ports: { fetch: typeof fetch | undefined; stopping: AbortSignal },
): RemoteDescriptions {
  const rows = () => store.db.selectFrom('remote_descriptions').where('project_id', '=', projectId)
  const { fetch } = ports
  /** @returns what is kept after an attempt: a text that was fetched before outlasts a failure */
  const attempt = async (address: string, fetch: typeof globalThis.fetch, before: Kept | undefined) => {
    const { text, failure } = await fetchText(address, { fetch, stopping: ports.stopping })
    const content = text ?? before?.content ?? null
    const kept = { content, failure: failure ?? null, oid: hashOf(content ?? failure ?? '') }
    await store.transaction((tx) =>
      tx
        .updateTable('remote_descriptions')
        .set({ ...kept, tried_at: sql<Date>`now()` })
        .where('project_id', '=', projectId)
        .where('address', '=', address)
        .execute(),
    )
    return kept
  }
  return {
    async refresh() {
      if (fetch === undefined) return false
      const due = await rows()
        .select(['address', 'content', 'oid'])
        .where(sql<boolean>`tried_at is null or tried_at < now() - make_interval(secs => ${patience})`)
        .execute()
      let changed = false
      for (const row of due) {
        const { oid } = await attempt(row.address, fetch, row)
        if (oid !== row.oid) changed = true
      }
      return changed
    },
    async oids() {
      if (fetch === undefined) return new Map()
      const known = await rows().select(['address', 'oid']).execute()
      return new Map(known.map(({ address, oid }) => [address, oid ?? '']))
    },
    async get(address) {
      const known = await rows().selectAll().where('address', '=', address).executeTakeFirst()
      if (known === undefined) {
        const { count } = await rows()
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        if (count >= mostKept)
          return { content: undefined, oid: '', why: `this project names more than ${mostKept} of them` }
        await store.transaction((tx) =>
          tx
            .insertInto('remote_descriptions')
            .values({ project_id: projectId, address })
            .onConflict((conflict) => conflict.doNothing())
            .execute(),
        )
      }
      if (fetch === undefined)
        return { content: undefined, oid: '', why: 'this server does not fetch API descriptions' }
      const kept = known?.tried_at == null ? await attempt(address, fetch, known) : known
      return { content: kept.content ?? undefined, oid: kept.oid ?? '', why: kept.failure ?? '' }
    },
    async keep(addresses) {
      await store.transaction((tx) =>
        tx
          .deleteFrom('remote_descriptions')
          .where('project_id', '=', projectId)
          .$if(addresses.length > 0, (query) => query.where('address', 'not in', addresses))
          .execute(),
      )
    },
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

async function fetchText(
  address: string,
  { fetch, stopping }: { fetch: typeof globalThis.fetch; stopping: AbortSignal },
): Promise<Fetched> {
  using limit = endingSignal({ milliseconds: deadline, signals: [stopping] })
  try {
    let url = new URL(address)
    for (let count = 0; count <= mostRedirects; count++) {
      if (url.protocol !== 'https:') return { failure: 'only https addresses are fetched' }
      if (url.username !== '' || url.password !== '')
        return { failure: 'addresses with credentials are not fetched' }
      const response = await fetch(url, {
        headers: { accept: 'application/json, application/yaml, text/*', 'user-agent': 'Docwright' },
        redirect: 'manual',
        signal: limit.signal,
      })
      const target = response.headers.get('location')
      if (response.status >= 300 && response.status < 400 && target !== null) {
        await response.body?.cancel()
        url = new URL(target, url)
        continue
      }
      if (!response.ok) {
        await response.body?.cancel()
        return { failure: `${url.host} answered ${response.status}` }
      }
      return await readText(response)
    }
    return { failure: `it redirects more than ${mostRedirects} times` }
  } catch (error) {
    stopping.throwIfAborted()
    if (limit.signal.aborted) return { failure: `no answer within ${deadline / 1000} s` }
    return { failure: makeStorable(messageOf(error)).slice(0, 300) }
  }
}

async function readText(response: Response): Promise<Fetched> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    parts.push(part)
    size += part.byteLength
    // Leaving the loop cancels the rest.
    if (size > mostBytes) return { failure: `it is larger than ${mostBytes / 1_000_000} MB` }
  }
  return { text: makeStorable(new TextDecoder().decode(Buffer.concat(parts))) }
}
