import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { CookieOptions } from 'hono/utils/cookie'
import { findSession, touchSession, type Session } from '../features/projects/sign-in.ts'
import { outsideAct } from '../store/acts.ts'
import type { Store } from '../store/database.ts'
import { basePath, withoutBase } from './base-path.ts'
import type { RequestContext } from './endpoint.ts'
import { sharerOf } from './sharer.ts'

const maxAge = 30 * 24 * 3600

export async function readSession(
  store: Store,
  publicUrl: string,
  context: RequestContext,
): Promise<Session | undefined> {
  const secret = sessionSecret(publicUrl, context)
  const session = secret === undefined ? undefined : await findSession(store.db, secret)
  if (session) {
    recordUse(store, session.id)
    context.set('sharer', { ...sharerOf(context), person: session.person.id })
  }
  return session
}

const recorded = new Map<string, number>()
/** Milliseconds. */
const recordInterval = 60_000

// The request does not wait for this. A use that could not be recorded is recorded with the next one.
function recordUse(store: Store, id: string): void {
  const now = Date.now()
  if (now - (recorded.get(id) ?? 0) < recordInterval) return
  if (recorded.size > 10_000) recorded.clear()
  recorded.set(id, now)
  outsideAct(() => store.transaction((tx) => touchSession(tx, id))).catch(() => recorded.delete(id))
}

export function sessionSecret(publicUrl: string, context: RequestContext): string | undefined {
  const value = getCookie(context, cookieName(publicUrl, 'session'))
  return value !== undefined && /^[0-9A-Za-z]{1,200}$/.test(value) ? value : undefined
}

export function setSession(context: RequestContext, publicUrl: string, secret: string): void {
  setCookie(context, cookieName(publicUrl, 'session'), secret, { ...attributes(publicUrl), maxAge })
}

export function clearSession(context: RequestContext, publicUrl: string): void {
  // The assistant keeps its conversation in the tab, and the next person may read other pages. Below a path of a host, the
  // header would delete what other programs of that host keep.
  if (basePath() === '') context.header('Clear-Site-Data', '"storage"')
  deleteCookie(context, cookieName(publicUrl, 'session'), attributes(publicUrl))
}

/**
 * Sign-in links come from the terminal and name no page, so a cookie remembers the page that the person asked for.
 */
export function rememberReturnPath(context: RequestContext, publicUrl: string, path: string): void {
  setCookie(context, cookieName(publicUrl, 'return'), path, { ...attributes(publicUrl), maxAge: 1800 })
}

/** The remembered page, if there is one. */
export function wantedPath(context: RequestContext, publicUrl: string): string | undefined {
  return getCookie(context, cookieName(publicUrl, 'return'))
}

export function takeReturnPath(context: RequestContext, publicUrl: string): string | undefined {
  const path = wantedPath(context, publicUrl)
  if (path !== undefined) deleteCookie(context, cookieName(publicUrl, 'return'), attributes(publicUrl))
  return path
}

/** Whoever signs in at another server comes back without the invitation, so a cookie keeps it. */
export function rememberInvitation(context: RequestContext, publicUrl: string, token: string): void {
  setCookie(context, cookieName(publicUrl, 'invitation'), token, { ...attributes(publicUrl), maxAge: 900 })
}

export function takeInvitation(context: RequestContext, publicUrl: string): string | undefined {
  const token = getCookie(context, cookieName(publicUrl, 'invitation'))
  if (token !== undefined) deleteCookie(context, cookieName(publicUrl, 'invitation'), attributes(publicUrl))
  return token
}

export function sessionCookieName(publicUrl: string): string {
  return cookieName(publicUrl, 'session')
}

// Cookies are shared by all ports of a host, and one of the root is sent to all paths: two servers must not sign each
// other out.
function cookieName(publicUrl: string, use: string): string {
  const { port, protocol, pathname } = new URL(publicUrl)
  const place = [port, ...pathname.split('/')].filter((part) => part !== '')
  // `__Host-` is for cookies of the root only.
  const kind = protocol === 'https:' ? (pathname === '/' ? '__Host-' : '__Secure-') : ''
  return `${kind}${['docwright', ...place, use].join('_')}`
}

function attributes(publicUrl: string): CookieOptions {
  return { path: '/', httpOnly: true, sameSite: 'Lax', secure: publicUrl.startsWith('https:') }
}

/** An app that asks to be connected has a long address. */
const longestReturn = 3000

/** Checks the path to return to after signing in. Anything that is not a path on this server becomes `/`. */
export function safeReturnPath(value: string | undefined): string {
  if (
    value === undefined ||
    value.length > longestReturn ||
    !/^\/[\x21-\x7e]*$/.test(value) ||
    value.includes('\\')
  )
    return '/'
  const origin = 'http://own.invalid'
  const wanted = withoutBase(value)
  const url = URL.canParse(wanted, origin) ? new URL(wanted, origin) : undefined
  // Returning to the sign-in page itself would be useless.
  if (url?.origin !== origin || url.pathname.startsWith('/sign-')) return '/'
  const path = `${url.pathname}${url.search}`
  // `/x/..//evil` becomes `//evil` when its dots are resolved.
  return path.startsWith('//') ? '/' : path
}
