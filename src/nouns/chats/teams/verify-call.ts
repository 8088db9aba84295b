import { z } from 'zod'
import { callPlatform } from '../call-platform.ts'
import { parsed } from '../parsed.ts'
import type { Call } from '../platform.ts'
import { bearerOf, keysAt, readToken, type Keys } from '../signed-token.ts'

/** Who signs what the Bot Framework sends. */
const issuer = 'https://api.botframework.com'

const configuration = z.looseObject({ jwks_uri: z.url() })
const activity = z.looseObject({ channelId: z.literal('msteams'), serviceUrl: z.url() })
/** What the Bot Framework adds to a key: on which channels its calls count. */
const endorsed = z.looseObject({ endorsements: z.array(z.string()) })

function keysOf(address: string): Promise<Keys> {
  return keysAt(address, async () => {
    const { json } = await callPlatform('Microsoft', new URL(address), { method: 'GET' })
    return configuration.parse(json).jwks_uri
  })
}

/**
 * Whether the Bot Framework made a call for an app, after its documentation of authentication: the token is signed by one of its
 * keys that is good for Teams, was made for the app, and names the address to answer at.
 */
export async function verifyCall(address: string, appId: string, call: Call): Promise<boolean> {
  const token = bearerOf(call)
  const said = activity.safeParse(parsed(call.body)).data
  if (token === undefined || !said) return false
  const read = await readToken('Microsoft', token, () => keysOf(address), { issuer, audience: appId })
  if (!read) return false
  const keys = await keysOf(address)
  const key = endorsed.safeParse(keys.jwks()?.keys.find(({ kid }) => kid === read.protectedHeader.kid)).data
  return read.payload['serviceurl'] === said.serviceUrl && key?.endorsements.includes(said.channelId) === true
}
