import { createHash, createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** For tests: a server that signs people in by OpenID Connect: discovery, keys, and the code flow with PKCE. */
export interface OidcProvider extends AsyncDisposable {
  issuer: string
  /** Who signs in there. */
  person: { sub: string; email: string; name: string; email_verified: boolean }
  /** What comes back is wrong in this way. */
  fault: 'nonce' | 'signature' | 'audience' | undefined
  /** What was asked at the token endpoint. */
  exchanged: URLSearchParams[]
}

export const oidcClient = { clientId: 'docwright', clientSecret: 'a client secret' }

export async function startOidcProvider(): Promise<OidcProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const codes = new Map<string, URLSearchParams>()
  const provider: Omit<OidcProvider, typeof Symbol.asyncDispose> = {
    issuer: '',
    person: { sub: 'sub-1', email: 'ada@example.com', name: 'Ada', email_verified: true },
    fault: undefined,
    exchanged: [],
  }
  const idToken = (nonce: string | null): string => {
    const now = Math.floor(Date.now() / 1000)
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const head = part({ alg: 'RS256', kid: 'k1', typ: 'JWT' })
    const body = part({
      ...provider.person,
      iss: provider.issuer,
      aud: provider.fault === 'audience' ? 'another' : oidcClient.clientId,
      iat: now,
      exp: now + 300,
      nonce: provider.fault === 'nonce' ? 'another' : nonce,
    })
    const key = provider.fault === 'signature' ? other.privateKey : privateKey
    return `${head}.${body}.${createSign('RSA-SHA256').update(`${head}.${body}`).sign(key, 'base64url')}`
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', provider.issuer)
    const json = (value: object, status = 200): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    if (url.pathname === '/.well-known/openid-configuration')
      return json({
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
        jwks_uri: `${provider.issuer}/jwks`,
        id_token_signing_alg_values_supported: ['RS256'],
      })
    if (url.pathname === '/jwks')
      return json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }] })
    if (url.pathname === '/authorize') {
      const code = randomUUID()
      codes.set(code, url.searchParams)
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', code)
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      return void response.writeHead(302, { location: back.href }).end()
    }
    const body = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
    provider.exchanged.push(body)
    const asked = codes.get(body.get('code') ?? '')
    codes.delete(body.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    if (!asked || asked.get('code_challenge') !== challenge || asked.get('code_challenge_method') !== 'S256')
      return json({ error: 'invalid_grant' }, 400)
    json({ access_token: 'an access token', token_type: 'Bearer', id_token: idToken(asked.get('nonce')) })
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  provider.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(provider, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
