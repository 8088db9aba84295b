import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import { isRecord } from '../../../lib/is-record.ts'
import type { Device } from '../../../features/projects/sign-in.ts'
import type { Store } from '../../../store/database.ts'
import type { Library } from './library/open-library.ts'
import { requireProvider, type ProviderName, type Providers } from './providers.ts'

/** A request of a browser, as far as it proves who somebody is. */
export interface Browser {
  headers: Headers
  from: Device
  /** The secret of the session that the browser has. */
  session?: string | undefined
}

/** What the browser has to keep afterwards. */
export interface Kept {
  /** Values of `Set-Cookie`, besides the session. */
  cookies: string[]
  /** The session that was opened. */
  opened: { secret: string; personId: string } | undefined
}

/** Proves who people are: by password, passkey, or another server. Refuses with an AppError. */
export interface Identify {
  hashPassword(password: string): Promise<string>
  verifyPassword(hash: string, password: string): Promise<boolean>
  withPassword(browser: Browser, input: { email: string; password: string }): Promise<Kept>
  /** Options for the browser to make a passkey with, or to prove one. */
  passkeyOptions(browser: Browser, use: 'add' | 'sign-in'): Promise<Kept & { options: object }>
  withPasskey(browser: Browser, response: unknown): Promise<Kept>
  addPasskey(browser: Browser, response: unknown, name: string | undefined): Promise<Kept>
  /**
   * Begins to sign in with another server, or to link it to the account that is signed in.
   * @param purpose an invitation's secret where the account may be new
   * @returns the address to go to
   */
  beginAt(
    browser: Browser,
    provider: ProviderName,
    purpose: { link: boolean; invitation?: string | undefined },
  ): Promise<Kept & { url: string }>
  /** Answers the request with which another server sends somebody back. @returns the path to go to */
  comeBack(
    browser: Browser,
    request: { url: string; invitation?: string | undefined },
  ): Promise<Kept & { path: string }>
  /** Whether passkeys work at the server's address: browsers refuse them on plain http and for IP addresses. */
  takesPasskeys(): boolean
  providers: Providers
}

export interface IdentifyPorts {
  store: Store
  /** Signs what browsers keep for the library. */
  secret(): string
  publicUrl(): string
  sessionCookie(): string
  providers: Providers
  reportProblem(message: string): void
}

/** The library is loaded with its first use, because it takes longer than the rest of a start. */
export function createIdentify(ports: IdentifyPorts): Identify {
  let opened: Promise<Loaded> | undefined
  const load = (): Promise<Loaded> =>
    (opened ??= open(ports).catch((error: unknown) => {
      opened = undefined
      throw error
    }))

  async function call<T>(
    browser: Browser,
    work: (library: Library, headers: Headers) => Promise<{ response: T; headers: Headers }>,
    invitation?: string,
  ): Promise<{ response: T; kept: Kept }> {
    const { library, signedFor, toRefusal, libraryCalls } = await load()
    const about = { from: browser.from, invitation, opened: undefined }
    try {
      const { response, headers } = await libraryCalls.run(about, () =>
        work(library, headersFor(ports, browser, signedFor)),
      )
      return { response, kept: keep(headers, ports.sessionCookie(), about) }
    } catch (thrown) {
      const refusal = toRefusal(thrown)
      // A provider that could not be reached at the first use is asked again.
      if (refusal instanceof AppError && refusal.code === 'unavailable') opened = undefined
      throw refusal
    }
  }

  return {
    providers: ports.providers,
    async hashPassword(password) {
      return (await (await load()).library.$context).password.hash(password)
    },
    async verifyPassword(hash, password) {
      return (await (await load()).library.$context).password.verify({ hash, password })
    },
    async withPassword(browser, body) {
      const { kept } = await call(browser, ({ api }, headers) =>
        api.signInEmail({ body, headers, returnHeaders: true }),
      )
      return kept
    },
    async passkeyOptions(browser, use) {
      const { response, kept } = await call<object>(browser, ({ api }, headers) =>
        use === 'add'
          ? api.generatePasskeyRegistrationOptions({ headers, returnHeaders: true })
          : api.generatePasskeyAuthenticationOptions({ headers, returnHeaders: true }),
      )
      return { ...kept, options: response }
    },
    async withPasskey(browser, response) {
      requireVerifiedUser(response)
      const { kept } = await call<unknown>(browser, ({ api }, headers) =>
        api.verifyPasskeyAuthentication({
          body: { response: asCredential(response) },
          headers,
          returnHeaders: true,
        }),
      )
      return kept
    },
    async addPasskey(browser, response, name) {
      const { kept } = await call<unknown>(browser, ({ api }, headers) =>
        api.verifyPasskeyRegistration({
          body: { response: asCredential(response), ...(name === undefined ? {} : { name }) },
          headers,
          returnHeaders: true,
        }),
      )
      return kept
    },
    async beginAt(browser, provider, { link, invitation }) {
      requireProvider(ports.providers, provider)
      const { response, kept } = await call(browser, ({ api }, headers) => {
        const back = {
          callbackURL: link ? '/account?done=linked' : '/',
          errorCallbackURL: link ? '/account' : '/sign-in',
        }
        return link
          ? api.linkSocialAccount({
              body: { provider, ...back, disableRedirect: true },
              headers,
              returnHeaders: true,
            })
          : api.signInSocial({
              body: { provider, ...back, disableRedirect: true, requestSignUp: invitation !== undefined },
              headers,
              returnHeaders: true,
            })
      })
      if (response.url === undefined || response.url === '')
        throw new AppError('unavailable', 'The other server cannot be reached now; try again later')
      return { ...kept, url: response.url }
    },
    async comeBack(browser, { url, invitation }) {
      const { response, kept } = await call(
        browser,
        async (library, headers) => {
          const answer = await library.handler(new Request(url, { headers }))
          return { response: answer, headers: answer.headers }
        },
        invitation,
      )
      return { ...kept, path: pathOf(response.headers.get('location') ?? '', ports.publicUrl()) }
    },
    takesPasskeys() {
      const { hostname, protocol } = new URL(ports.publicUrl())
      return hostname === 'localhost' || (protocol === 'https:' && /[a-z]/i.test(hostname))
    },
  }
}

type Loaded = Awaited<ReturnType<typeof open>>

async function open({ publicUrl, sessionCookie, secret, ...ports }: IdentifyPorts) {
  const { openLibrary, signedFor, toRefusal } = await import('./library/open-library.ts')
  const { libraryCalls } = await import('./library/store-for-library.ts')
  const library = openLibrary({
    ...ports,
    secret: secret(),
    publicUrl: publicUrl(),
    sessionCookie: sessionCookie(),
  })
  await library.$context
  return { library, signedFor, toRefusal, libraryCalls }
}

// The library's own cookies, and the session as the library expects it.
function headersFor(
  { secret, sessionCookie, publicUrl }: IdentifyPorts,
  { headers, session }: Browser,
  signedFor: (secret: string, value: string) => string,
): Headers {
  const name = sessionCookie()
  const own = (headers.get('cookie') ?? '')
    .split(/;\s*/)
    .filter((cookie) => cookie !== '' && !cookie.startsWith(`${name}=`))
  if (session !== undefined) own.push(`${name}=${signedFor(secret(), session)}`)
  return new Headers({
    cookie: own.join('; '),
    origin: new URL(publicUrl()).origin,
    'user-agent': headers.get('user-agent') ?? '',
  })
}

function keep(headers: Headers, sessionCookie: string, { opened }: { opened: Kept['opened'] }): Kept {
  const cookies = headers.getSetCookie().filter((cookie) => !cookie.startsWith(sessionCookie))
  return { cookies, opened }
}

// A path on this server, whatever the library says.
function pathOf(location: string, publicUrl: string): string {
  const url = URL.canParse(location, publicUrl) ? new URL(location, publicUrl) : undefined
  return url?.origin === new URL(publicUrl).origin ? `${url.pathname}${url.search}` : '/'
}

const passkeyAnswer = z.object({ response: z.object({ authenticatorData: z.base64url() }) })

/**
 * Browsers are asked for a passkey that has checked who holds it, by a PIN or a finger. The library accepts one that
 * has not, so that a key that somebody finds would be enough.
 * @throws AppError `forbidden`
 */
export function requireVerifiedUser(response: unknown): void {
  const read = passkeyAnswer.safeParse(response)
  // The signature, which the library checks, covers this byte of flags.
  const flags = read.success ? Buffer.from(read.data.response.authenticatorData, 'base64url')[32] : undefined
  if (((flags ?? 0) & 4) === 0)
    throw new AppError('forbidden', 'The passkey did not check who you are; try again, or sign in otherwise')
}

// The library checks what is in it. Its types name the parts, which a body has not been checked for yet.
function asCredential(response: unknown): never {
  if (isRecord(response)) return response as never
  throw new AppError('invalid', 'Send what the browser answered as `response`')
}
