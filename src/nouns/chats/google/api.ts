import { importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'
import type { ChatApis } from '../../../lib/chat-apis.ts'
import { AppError } from '../../../lib/errors.ts'
import { callPlatform, type Called } from '../call-platform.ts'
import { parsed } from '../parsed.ts'

/** What the file of a service account’s key holds, as far as it is used: its addresses are not. */
const accountKey = z.looseObject({
  type: z.literal('service_account'),
  project_id: z.string().min(1).max(100),
  private_key_id: z.string().max(200),
  private_key: z.string().max(5000),
  client_email: z.string().max(300),
})
export type AccountKey = z.output<typeof accountKey>

/** What an app may do by itself, and what an administrator has to allow first. */
export const scopes = {
  app: 'https://www.googleapis.com/auth/chat.bot',
  messages: 'https://www.googleapis.com/auth/chat.app.messages.readonly',
} as const

const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const granted = z.looseObject({ access_token: z.string(), expires_in: z.number() })
const notGranted = z.looseObject({ error: z.string(), error_description: z.string().optional() })
const refusal = z.looseObject({
  error: z.looseObject({ code: z.number(), message: z.string(), status: z.string().optional() }),
})

/** @throws AppError `invalid` for what is no key of a service account */
export function readAccountKey(text: string): AccountKey {
  const read = accountKey.safeParse(parsed(text)).data
  if (read) return read
  throw new AppError('invalid', 'Give the JSON key of a service account, as it was downloaded')
}

/** What Google Chat refuses. */
export class GoogleRefusal extends AppError {
  readonly status: number

  constructor(message: string, status: number) {
    super('invalid', message)
    this.status = status
  }
}

/** Seconds that a signed question for a token is good for: Google’s longest. */
const assertionSeconds = 3600
/** Seconds before its end at which a token is not used any more. */
const margin = 120

async function getToken(
  { login }: ChatApis['google'],
  { client_email: email, private_key: secret, private_key_id: kid }: AccountKey,
  scope: string,
): Promise<{ token: string; seconds: number }> {
  const key = await importPKCS8(secret, 'RS256').catch(() => {
    throw new AppError('invalid', 'The private key in the JSON key can’t be read. Create another key')
  })
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
    .setIssuer(email)
    .setAudience(login)
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + assertionSeconds)
    .sign(key)
  const { json } = await callPlatform('Google', new URL(login), {
    method: 'POST',
    body: new URLSearchParams({ grant_type: grant, assertion }),
  })
  const token = granted.safeParse(json).data
  if (token) return { token: token.access_token, seconds: token.expires_in }
  const why = notGranted.safeParse(json).data
  const reason = why?.error_description ?? why?.error ?? 'it answered something else'
  throw new AppError('invalid', `Google refused the JSON key: ${reason.slice(0, 300)}`)
}

type Ask = (method: Called['method'], path: string, options?: AskOptions) => Promise<unknown>
interface AskOptions {
  query?: Record<string, string>
  body?: object
  scope?: string
}

/** Calls Google Chat as an app. */
export function openGoogle(apis: ChatApis['google'], key: AccountKey): Ask {
  const known = new Map<string, { token: string; until: number }>()

  async function currentToken(scope: string): Promise<string> {
    const before = known.get(scope)
    if (before && before.until > performance.now()) return before.token
    const { token, seconds } = await getToken(apis, key, scope)
    known.set(scope, { token, until: performance.now() + (seconds - margin) * 1000 })
    return token
  }

  return async (method, path, { query = {}, body, scope = scopes.app } = {}) => {
    const url = new URL(`v1/${path}`, apis.api)
    url.search = new URLSearchParams(query).toString()
    const { status, json } = await callPlatform('Google Chat', url, {
      method,
      headers: {
        authorization: `Bearer ${await currentToken(scope)}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (status < 300) return json
    if (status === 401) known.delete(scope)
    const why = refusal.safeParse(json).data?.error
    throw new GoogleRefusal(why ? why.message.slice(0, 500) : `Google Chat answered ${status}`, status)
  }
}
