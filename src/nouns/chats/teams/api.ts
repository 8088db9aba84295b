import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import { callPlatform } from '../call-platform.ts'
import type { ChatApis } from '../../../lib/chat-apis.ts'

/** With which an app gets tokens of its tenant. */
export interface AppSecret {
  appId: string
  secret: string
  tenant: string
}

const scope = 'https://api.botframework.com/.default'
const granted = z.looseObject({ access_token: z.string(), expires_in: z.number() })
const notGranted = z.looseObject({ error: z.string(), error_description: z.string().optional() })
const refusal = z.looseObject({ error: z.looseObject({ code: z.string(), message: z.string() }) })

/**
 * Asks Microsoft for a token by which the app speaks.
 * @throws AppError `invalid` for what Microsoft refuses, `unavailable` when it does not answer
 */
async function getToken(
  { login }: ChatApis['teams'],
  { appId, secret, tenant }: AppSecret,
): Promise<{ token: string; seconds: number }> {
  const { json } = await callPlatform('Microsoft', new URL(`${tenant}/oauth2/v2.0/token`, login), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: appId,
      client_secret: secret,
      scope,
    }),
  })
  const token = granted.safeParse(json).data
  if (token) return { token: token.access_token, seconds: token.expires_in }
  const why = notGranted.safeParse(json).data
  // The lines below the first are for Microsoft’s support.
  const [reason = 'it answered something else'] = (why?.error_description ?? why?.error)?.split('\n') ?? []
  throw new AppError('invalid', `Microsoft refused the client secret: ${reason.trim()}`)
}

/** Tells whether the secret of an app works. @throws as `getToken` */
export async function testSecret(apis: ChatApis['teams'], secret: AppSecret): Promise<void> {
  await getToken(apis, secret)
}

/** What Teams refuses. */
export class TeamsRefusal extends AppError {
  constructor(message: string) {
    super('invalid', message)
  }
}

type Ask = (method: 'POST' | 'PUT', path: string, body: object) => Promise<unknown>

/** Seconds before its end at which a token is not used any more. */
const margin = 120

/**
 * Calls Teams as an app.
 * @param api where it answers, with a slash at the end
 */
export function openTeams(apis: ChatApis['teams'], api: string, secret: AppSecret): Ask {
  let known: { token: string; until: number } | undefined

  async function currentToken(): Promise<string> {
    if (known && known.until > performance.now()) return known.token
    const { token, seconds } = await getToken(apis, secret)
    known = { token, until: performance.now() + (seconds - margin) * 1000 }
    return token
  }

  return async (method, path, body) => {
    const { status, json } = await callPlatform('Teams', new URL(path, api), {
      method,
      headers: { authorization: `Bearer ${await currentToken()}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (status < 300) return json
    if (status === 401) known = undefined
    const why = refusal.safeParse(json).data?.error
    throw new TeamsRefusal(why ? `${why.message} (${why.code})` : `Teams answered ${status}`)
  }
}
