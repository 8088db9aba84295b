import { endingSignal } from '../../lib/ending-signal.ts'
import type { MergeView } from '../../integrations/forges/merging.ts'
import { unlessAborted } from '../../lib/unless-aborted.ts'
import { AppError } from '../../lib/errors.ts'
import type { OpenConnection } from '../../features/connections/open-connection.ts'
import { keepNewest } from '../../lib/keep-newest.ts'

/** What a git host says about a pull request. */
export interface HostedState {
  /** `GitHub`; undefined where there is no host that we know. */
  host: string | undefined
  /** As the host had it at `at`; undefined when it did not answer yet. */
  request: MergeView | undefined
  at: Date | undefined
  /** Why it did not answer just now. */
  trouble: string | undefined
}

/** Reads pull requests from their hosts, for people who look at them. */
export type ReadHostedRequest = (project: { id: string }, number: number) => Promise<HostedState>

interface Seen {
  request: MergeView | undefined
  at: Date
}

/** Milliseconds. A page waits no longer for a host, and asks it no more often for the same pull request. */
const deadline = 3000
const fresh = 30_000
const mostSeen = 500

export function createHostedRequests({
  openConnection,
  now,
}: {
  openConnection: OpenConnection
  now: () => Date
}): ReadHostedRequest {
  const seen = new Map<string, Seen>()
  const asking = new Map<string, Promise<Seen>>()
  return async ({ id }, number) => {
    const opened = await openConnection(id)
    const host = opened?.host?.name
    if (!opened?.hosted)
      return {
        host,
        request: undefined,
        at: undefined,
        trouble: 'There is no credential for the host, so it cannot be asked',
      }
    // Of this connection: another repository counts its own pull requests.
    const key = `${id} ${opened.connection.revision} ${number}`
    const known = seen.get(key)
    if (known && now().getTime() - known.at.getTime() < fresh) return { host, ...known, trouble: undefined }
    const { merging } = opened.hosted
    const ask = async (): Promise<Seen> => {
      const answer = { request: await merging.look(number), at: now() }
      keepNewest(seen, mostSeen, key, answer)
      return answer
    }
    const pending = asking.get(key) ?? ask().finally(() => asking.delete(key))
    asking.set(key, pending)
    pending.catch(() => undefined)
    using waiting = endingSignal({ milliseconds: deadline })
    const { signal } = waiting
    try {
      return { host, ...(await unlessAborted(signal, () => pending)), trouble: undefined }
    } catch (error) {
      const isLate = signal.aborted || !(error instanceof AppError)
      const trouble = isLate ? `${host ?? 'The host'} does not answer now` : error.message
      return { host, request: known?.request, at: known?.at, trouble }
    }
  }
}
