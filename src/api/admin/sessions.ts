import { z } from '@hono/zod-openapi'
import {
  createSignInLink,
  deleteSession,
  findSession,
  redeemSignInLink,
  type Session,
} from '../../features/projects/sign-in.ts'
import { AppError } from '../../lib/errors.ts'
import type { Store } from '../../store/database.ts'
import type { Access } from '../access.ts'
import type { Endpoint, RequestContext } from '../endpoint.ts'
import { operations } from '../operation.ts'
import { clearSession, readSession, refuseOtherSites, sessionSecret, setSession } from '../session-cookie.ts'

export interface SessionPorts {
  store: Store
  /** The address at which people reach the server, without a slash at the end. */
  publicUrl(): string
  /** Counts an attempt to sign in from an address. @throws AppError `rate_limited` */
  countAttempt(address: string): void
  clientAddress(context: RequestContext): string
}

const tokenRule = 'must be the token of a sign-in link'
const signInBody = z
  .object({ token: z.string({ error: tokenRule }).min(1, tokenRule).max(200, tokenRule) })
  .openapi('SignIn')
const session = z
  .object({
    csrfToken: z.string().describe('Send it as `X-CSRF-Token` with requests that change something.'),
  })
  .openapi('Session')

/** Sign-in links, and the sessions that they open. */
export function sessionEndpoints(ports: SessionPorts & { access: Access }): Endpoint[] {
  const { access, store, publicUrl } = ports
  const { onServer } = operations(access, 'Sessions')
  const path = '/admin/session'
  const answer = ['The session', session] as const
  return [
    onServer('createSignInLink', 'post /admin/sign-in-links', 'Create a sign-in link', {
      description: 'The link signs one person in, once, within a day.',
      answer: [201, 'The link', z.object({ url: z.url() }).openapi('SignInLink')],
      async handle() {
        const secret = await store.transaction((tx) => createSignInLink(tx, 24))
        return { url: `${publicUrl()}/sign-in?token=${secret}` }
      },
    }),
    onServer('signIn', `post ${path}`, 'Sign in', {
      description: 'Exchanges the token of a sign-in link for a session cookie that is valid for 30 days.',
      body: signInBody,
      errors: [403, 429],
      answer: [201, ...answer],
      async handle({ context, body: { token } }) {
        refuseOtherSites(context)
        const opened = await signIn(ports, context, token)
        if (!opened)
          throw new AppError('forbidden', 'The link was used before, or it is too old: ask for a new one')
        return opened
      },
    }),
    onServer('getSession', `get ${path}`, 'Get the session', {
      answer: [200, ...answer],
      async handle({ context, caller }) {
        const found = await readSession(store.db, publicUrl(), context)
        if (caller.kind !== 'person' || !found)
          throw new AppError('not_found', 'The operator’s token needs no session')
        return { csrfToken: found.csrfToken }
      },
    }),
    onServer('signOut', `delete ${path}`, 'Sign out', {
      description: 'Ends the session on the server too.',
      answer: [200, 'An empty object', z.object({})],
      async handle({ context }) {
        await signOut(ports, context)
        return {}
      },
    }),
  ]
}

/** Opens a session for the token of a sign-in link. Undefined when the link is unknown, used or expired. */
export async function signIn(
  { store, publicUrl, countAttempt, clientAddress }: SessionPorts,
  context: RequestContext,
  token: string,
): Promise<Session | undefined> {
  countAttempt(clientAddress(context))
  const secret = await store.transaction((tx) => redeemSignInLink(tx, token))
  if (secret === undefined) return undefined
  setSession(context, publicUrl(), secret)
  return findSession(store.db, secret)
}

export async function signOut(
  { store, publicUrl }: Pick<SessionPorts, 'store' | 'publicUrl'>,
  context: RequestContext,
): Promise<void> {
  const secret = sessionSecret(publicUrl(), context)
  if (secret !== undefined) await store.transaction((tx) => deleteSession(tx, secret))
  clearSession(context, publicUrl())
}

const window = 60_000
const perWindow = 10
const maximumAddresses = 10_000

/**
 * Counts attempts to sign in per address, in this process. Links hold 256 random bits, so nobody can guess one;
 * this only limits the load.
 * @throws AppError `rate_limited`
 */
export function createAttemptCounter(now: () => Date): (address: string) => void {
  const attempts = new Map<string, { since: number; count: number }>()
  return (address) => {
    const time = now().getTime()
    let entry = attempts.get(address)
    if (!entry || time - entry.since >= window) {
      entry = { since: time, count: 0 }
      attempts.delete(address)
      attempts.set(address, entry)
      // A map keeps the order of insertion. The oldest entry is dropped first, so that many addresses cannot fill
      // the memory.
      const oldest = attempts.keys().next().value
      if (attempts.size > maximumAddresses && oldest !== undefined) attempts.delete(oldest)
    }
    if (++entry.count > perWindow)
      throw new AppError('rate_limited', 'Too many attempts to sign in from this address; wait a minute')
  }
}
