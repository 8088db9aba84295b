import { createHmac } from 'node:crypto'
import { passkey } from '@better-auth/passkey'
import { betterAuth } from 'better-auth'
import { isAPIError } from 'better-auth/api'
import { genericOAuth } from 'better-auth/plugins'
import { AppError } from '../../../../lib/errors.ts'
import { newId } from '../../../../lib/ids.ts'
import type { Store } from '../../../../store/database.ts'
import { sessionDays } from '../../../../features/projects/sign-in.ts'
import type { Providers } from '../providers.ts'
import { storeForLibrary } from './store-for-library.ts'

export interface LibraryPorts {
  store: Store
  /** Signs what browsers keep for the library. */
  secret: string
  /** Without a slash at the end. */
  publicUrl: string
  /** The name of the session's cookie, which ends with `session`. */
  sessionCookie: string
  providers: Providers
  reportProblem(message: string): void
}

/** Where providers send people back to: `/sign-in/callback/{provider}`, below the path of the public URL. */
const ownPath = '/sign-in'

export type Library = ReturnType<typeof openLibrary>

/** better-auth on our store. It proves who somebody is; accounts, sessions, cookies and rights are ours. */
export function openLibrary(ports: LibraryPorts) {
  const { github, oidc } = ports.providers
  const url = new URL(ports.publicUrl)
  const isSecure = url.protocol === 'https:'
  return betterAuth({
    appName: 'Docwright',
    // The library takes a path of its address for the one of its endpoints.
    baseURL: url.origin,
    basePath: `${url.pathname.replace(/\/$/, '')}${ownPath}`,
    secret: ports.secret,
    database: storeForLibrary(ports.store),
    trustedOrigins: [url.origin],
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 10, maxPasswordLength: 128 },
    // Endpoints are not mounted, but called by ours, which count attempts themselves.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      // Its messages name neither people nor tokens; further arguments may.
      log: (_level, message) => ports.reportProblem(message),
    },
    onAPIError: { errorURL: `${ports.publicUrl}${ownPath}` },
    user: {
      modelName: 'people',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    account: {
      modelName: 'person_logins',
      fields: {
        userId: 'person_id',
        providerId: 'provider',
        accountId: 'account_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
      updateAccountOnSignIn: false,
      // Somebody could prepare an account with the e-mail address of another, who is not asked for it here. So only
      // a person who is signed in links a login.
      accountLinking: {
        disableImplicitLinking: true,
        allowDifferentEmails: true,
        trustedProviders: ['github', 'oidc'],
      },
    },
    session: {
      modelName: 'sessions',
      fields: {
        token: 'hash',
        userId: 'person_id',
        ipAddress: 'address',
        userAgent: 'device',
        expiresAt: 'expires_at',
        createdAt: 'created_at',
        updatedAt: 'last_used_at',
      },
      expiresIn: sessionDays * 86_400,
      disableSessionRefresh: true,
    },
    verification: {
      modelName: 'verifications',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    advanced: {
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure, httpOnly: true, sameSite: 'lax', path: '/' },
      cookiePrefix: ports.sessionCookie.replace(/_session$/, ''),
      cookies: { session_token: { name: ports.sessionCookie } },
      database: { generateId: () => newId('log') },
    },
    socialProviders: github
      ? {
          github: {
            clientId: github.clientId,
            clientSecret: github.clientSecret,
            disableImplicitSignUp: true,
          },
        }
      : {},
    plugins: [
      passkey({
        rpID: url.hostname,
        rpName: 'Docwright',
        origin: url.origin,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        schema: {
          passkey: {
            modelName: 'passkeys',
            fields: {
              userId: 'person_id',
              publicKey: 'public_key',
              credentialID: 'credential_id',
              deviceType: 'device_type',
              backedUp: 'backed_up',
              createdAt: 'created_at',
            },
          },
        },
      }),
      ...(oidc
        ? [
            genericOAuth({
              config: [
                {
                  providerId: 'oidc',
                  discoveryUrl: `${oidc.issuer}/.well-known/openid-configuration`,
                  clientId: oidc.clientId,
                  clientSecret: oidc.clientSecret,
                  scopes: ['openid', 'email', 'profile'],
                  pkce: true,
                  requireIdTokenVerification: true,
                  disableImplicitSignUp: true,
                },
              ],
            }),
          ]
        : []),
    ],
  })
}

/** The value that the library expects of the session's cookie. Ours holds the secret alone. */
export function signedFor(secret: string, value: string): string {
  return encodeURIComponent(`${value}.${createHmac('sha256', secret).update(value).digest('base64')}`)
}

/** What a refusal of the library means to people. */
export function toRefusal(thrown: unknown): unknown {
  if (!isAPIError(thrown)) return thrown
  const code = thrown.body?.code ?? ''
  if (code === 'INVALID_EMAIL_OR_PASSWORD' || code === 'INVALID_EMAIL')
    return new AppError('forbidden', 'The email address or the password is wrong')
  if (code === 'SESSION_NOT_FRESH')
    return new AppError('forbidden', 'You signed in long ago: sign in again, then add the passkey')
  if (code === 'CHALLENGE_NOT_FOUND') return new AppError('invalid', 'That took too long; try again')
  if (code === 'PREVIOUSLY_REGISTERED') return new AppError('conflict', 'This passkey is registered already')
  if (code === 'PROVIDER_NOT_FOUND')
    return new AppError('unavailable', 'The other server cannot be reached now; try again later')
  if (/PASSKEY|AUTHENTICATION|VERIFY|YOU_ARE/.test(code))
    return new AppError('forbidden', 'The passkey was not accepted; try again, or sign in otherwise')
  return new AppError('forbidden', 'Signing in did not work; try again', { cause: thrown })
}
