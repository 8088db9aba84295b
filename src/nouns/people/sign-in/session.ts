import type { RequestContext } from '../../../api/endpoint.ts'
import { sessionSecret, setSession } from '../../../api/session-cookie.ts'
import { deleteSession, findSession, type Device, type Session } from '../../../features/projects/sign-in.ts'
import type { Store } from '../../../store/database.ts'
import type { Attempts } from './count-attempts.ts'
import type { Browser, Identify, Kept } from './identify.ts'

export interface SessionPorts {
  store: Store
  identify: Identify
  /** The address at which people reach the server, without a slash at the end. */
  publicUrl(): string
  attempts: Attempts
  clientAddress(context: RequestContext): string
}

export function deviceOf(
  { clientAddress }: Pick<SessionPorts, 'clientAddress'>,
  context: RequestContext,
): Device {
  return { address: clientAddress(context), device: context.req.header('user-agent') }
}

export function browserOf(ports: SessionPorts, context: RequestContext): Browser {
  return {
    headers: context.req.raw.headers,
    from: deviceOf(ports, context),
    session: sessionSecret(ports.publicUrl(), context),
  }
}

/** Hands the browser what it keeps. A session that it had before ends. */
export async function keep(
  ports: SessionPorts,
  context: RequestContext,
  { cookies, opened }: Kept,
): Promise<Session | undefined> {
  for (const cookie of cookies) context.header('Set-Cookie', cookie, { append: true })
  return opened && enter(ports, context, opened.secret)
}

/** Gives the browser a session that was opened. One that it had before ends. */
export async function enter(
  { store, publicUrl }: SessionPorts,
  context: RequestContext,
  secret: string,
): Promise<Session | undefined> {
  const earlier = sessionSecret(publicUrl(), context)
  if (earlier !== undefined) await store.transaction((tx) => deleteSession(tx, earlier))
  setSession(context, publicUrl(), secret)
  return findSession(store.db, secret)
}
