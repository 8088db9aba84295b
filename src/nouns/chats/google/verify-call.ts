import type { ChatApis } from '../../../lib/chat-apis.ts'
import type { Call } from '../platform.ts'
import { bearerOf, keysAt, readToken } from '../signed-token.ts'

/** As which Google Chat calls apps. */
const account = 'chat@system.gserviceaccount.com'

/**
 * Whether Google Chat made a call for an app, after its documentation of requests. With the number of the app’s project, its own
 * account has signed the token for that project. Without it, Google has signed a token of that account for the address that was
 * called, which also another app could have called.
 */
export async function verifyCall(
  { keys }: ChatApis['google'],
  projectNumber: string | undefined,
  call: Call,
): Promise<boolean> {
  const token = bearerOf(call)
  if (token === undefined) return false
  if (projectNumber !== undefined) {
    const own = new URL(`service_accounts/v1/jwk/${account}`, keys).href
    const options = { issuer: account, audience: projectNumber }
    return (await readToken('Google', token, () => keysAt(own), options)) !== undefined
  }
  const read = await readToken('Google', token, () => keysAt(new URL('oauth2/v3/certs', keys).href), {
    issuer: ['https://accounts.google.com', 'accounts.google.com'],
    audience: call.url,
  })
  return read?.payload['email'] === account && read.payload['email_verified'] === true
}
