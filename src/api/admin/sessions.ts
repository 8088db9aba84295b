import { z } from '@hono/zod-openapi'
import {
  createSignInLink,
  deleteSession,
  findSession,
  redeemSignInLink,
} from '../../features/projects/sign-in.ts'
import { AppError } from '../../lib/errors.ts'
import type { Store } from '../../store/database.ts'
import type { Access } from '../access.ts'
import type { Endpoint, RequestContext } from '../endpoint.ts'
import { serverOperation } from '../operation.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import { clearSession, readSession, refuseOtherSites, sessionSecret, setSession } from '../session-cookie.ts'

export interface SessionPorts {
  store: Store
  /** Address that people reach the server at, without a slash at the end. */
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
    csrfToken: z
      .string()
      .openapi({ description: 'To be sent as `X-CSRF-Token` with whatever changes something.' }),
  })
  .openapi('Session')

/** Sign-in links, and the sessions that they open. */
export function sessionEndpoints(ports: SessionPorts & { access: Access }): Endpoint[] {
  const { access, store, publicUrl } = ports
  const tag = 'Sessions'
  const path = '/admin/session'
  const answer = { text: 'The session', schema: session }
  return [
    serverOperation(
      access,
      {
        verb: 'createSignInLink',
        method: 'post',
        path: '/admin/sign-in-links',
        tag,
        summary: 'Create a sign-in link',
        description: 'For one person, once, within a day.',
        answer: { status: 201, text: 'The link', schema: z.object({ url: z.url() }).openapi('SignInLink') },
      },
      async () => {
        const secret = await store.transaction((tx) => createSignInLink(tx, 24))
        return { url: `${publicUrl()}/sign-in?token=${secret}` }
      },
    ),
    serverOperation(
      access,
      {
        verb: 'signIn',
        method: 'post',
        path,
        tag,
        summary: 'Sign in',
        description: 'Trades the token of a sign-in link for the cookie of a session of 30 days.',
        body: signInBody,
        errors: [403, 429],
        answer: { ...answer, status: 201 },
      },
      async ({ context, body: { token } }) => {
        refuseOtherSites(context)
        const opened = await signIn(ports, context, token)
        if (!opened)
          throw new AppError('forbidden', 'The link was used before, or it is too old: ask for a new one')
        return opened
      },
    ),
    serverOperation(
      access,
      { verb: 'getSession', method: 'get', path, tag, summary: 'Get the session', answer },
      async ({ context, caller }) => {
        const found = await readSession(store.db, publicUrl(), context)
        if (caller.kind !== 'person' || !found)
          throw new AppError('not_found', 'The operator’s token needs no session')
        return { csrfToken: found.csrfToken }
      },
    ),
    serverOperation(
      access,
      {
        verb: 'signOut',
        method: 'delete',
        path,
        tag,
        summary: 'Sign out',
        description: 'The session ends on the server too.',
        answer: { text: 'Nothing more', schema: z.object({}) },
      },
      async ({ context }) => {
        await signOut(ports, context)
        return {}
      },
    ),
  ]
}

/** Opens a session for whoever brings the token of a link. Undefined for a link that is unknown, used or expired. */
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
