import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import { z } from 'zod'
import { AppError, messageOf } from '../../../lib/errors.ts'
import { keepNewest } from '../../../lib/keep-newest.ts'
import { callPlatform } from '../call-platform.ts'
import { parsed } from '../parsed.ts'
import type { Call } from '../platform.ts'

/** Who signs what the Bot Framework sends. */
const issuer = 'https://api.botframework.com'
/** Seconds by which the clocks may differ. */
const skew = 300

const configuration = z.looseObject({ jwks_uri: z.url() })
const activity = z.looseObject({ channelId: z.literal('msteams'), serviceUrl: z.url() })
/** What the Bot Framework adds to a key: on which channels its calls count. */
const endorsed = z.looseObject({ endorsements: z.array(z.string()) })

type Keys = ReturnType<typeof createRemoteJWKSet>
/** By the address that tells them: one, but in tests. They are asked for anew when a key is not among them. */
const known = new Map<string, Keys>()

async function keysOf(address: string): Promise<Keys> {
  const before = known.get(address)
  if (before) return before
  const { json } = await callPlatform('Microsoft', new URL(address), { method: 'GET' })
  const keys = createRemoteJWKSet(new URL(configuration.parse(json).jwks_uri))
  keepNewest(known, 4, address, keys)
  return keys
}

/**
 * Whether the Bot Framework made a call for an app, after its documentation of authentication: the token is signed by one of its
 * keys that is good for Teams, was made for the app, and names the address to answer at.
 */
export async function verifyCall(address: string, appId: string, { headers, body }: Call): Promise<boolean> {
  const token = /^Bearer ([\w.-]{1,8000})$/.exec(headers.get('authorization') ?? '')?.[1]
  const said = activity.safeParse(parsed(body)).data
  if (token === undefined || !said) return false
  try {
    const keys = await keysOf(address)
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      audience: appId,
      algorithms: ['RS256'],
      clockTolerance: skew,
      requiredClaims: ['exp'],
    })
    const key = endorsed.safeParse(keys.jwks()?.keys.find(({ kid }) => kid === protectedHeader.kid)).data
    return payload['serviceurl'] === said.serviceUrl && key?.endorsements.includes(said.channelId) === true
  } catch (error) {
    if (isOfToken(error)) return false
    throw new AppError('unavailable', `The keys of Microsoft could not be had: ${messageOf(error)}`)
  }
}

/** Whether an error is about what was signed, and not about having the keys. */
function isOfToken(error: unknown): boolean {
  return (
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    error.code !== errors.JOSEError.code
  )
}
