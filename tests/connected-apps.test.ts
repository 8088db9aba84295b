import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startServer, type TestServer } from './server.ts'

/** Apps that sign people in by OAuth, as the official client of the protocol does it. */
let server: TestServer
let operator = ''
let person: { cookie: string; csrf: string }
const projectPath = '/admin/projects/docwright'
const redirectUrl = 'http://127.0.0.1:8976/callback'

beforeAll(async () => {
  server = await startServer()
  operator = (await readFile(join(server.dataFolder, 'operator-token'), 'utf8')).trim()
  await operate('PATCH', `${projectPath}/settings`, { visibility: 'signed-in' })
  person = await makePerson('ada@example.com')
})
afterAll(() => server[Symbol.asyncDispose]())

async function operate(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await server.request(method, path, { key: operator, body })
  expect([method, path, answer.ok]).toEqual([method, path, true])
  return (await answer.json()) as Record<string, unknown>
}

async function makePerson(email: string): Promise<typeof person> {
  const organizations = z
    .array(z.object({ id: z.string() }))
    .parse(await operate('GET', '/admin/organizations'))
  const { url } = await operate('POST', `/admin/organizations/${organizations[0]?.id}/invitations`, {
    role: 'editor',
  })
  const token = new URL(String(url)).searchParams.get('token')
  const joined = await server.request('POST', '/admin/invitations/accept', {
    body: { token, name: 'Ada', email, password: 'five small words here' },
  })
  const { csrfToken: csrf } = z.object({ csrfToken: z.string() }).parse(await joined.json())
  return { cookie: joined.headers.getSetCookie()[0]?.split(';')[0] ?? '', csrf }
}

/** An app that keeps what it is given, and a person who opens the page that it names. */
function createApp(): { provider: OAuthClientProvider; kept: Kept } {
  const kept: Kept = {}
  return {
    kept,
    provider: {
      redirectUrl,
      clientMetadata: { client_name: 'Test <app>', redirect_uris: [redirectUrl] },
      state: () => 'state-of-app',
      clientInformation: () => kept.client,
      saveClientInformation: (client) => void (kept.client = client),
      tokens: () => kept.tokens,
      saveTokens: (tokens) => void (kept.tokens = tokens),
      redirectToAuthorization: (url) => void (kept.url = url),
      saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
      codeVerifier: () => kept.verifier ?? '',
    },
  }
}

interface Kept {
  client?: StoredOAuthClientInformation
  tokens?: StoredOAuthTokens
  url?: URL
  verifier?: string
}

/** Opens the consent page, presses its button, and returns where the app is called. */
async function consent(url: URL, headers = { cookie: person.cookie }): Promise<URL> {
  const page = await fetch(url, { headers, redirect: 'manual' })
  const text = await page.text()
  expect([page.status, text]).toEqual([200, expect.stringContaining('Connect Test app?')])
  const fields = [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value.replaceAll('&amp;', '&')],
  )
  const sent = await fetch(new URL(url.pathname, url), {
    method: 'POST',
    headers: { ...headers, origin: new URL(server.url).origin, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
  const leaving = await sent.text()
  expect([sent.status, leaving]).toEqual([200, expect.stringContaining('http-equiv="refresh"')])
  return new URL(/content="0;url=([^"]+)"/.exec(leaving)?.[1]?.replaceAll('&amp;', '&') ?? '')
}

function transportOf(provider: OAuthClientProvider, path = '/mcp/docwright') {
  return new StreamableHTTPClientTransport(new URL(path, server.url), { authProvider: provider })
}

async function connect(path = '/mcp/docwright'): Promise<Kept> {
  const { provider, kept } = createApp()
  const transport = transportOf(provider, path)
  const client = new Client({ name: 'test', version: '1' })
  await expect(client.connect(transport)).rejects.toThrow(UnauthorizedError)
  const called = await consent(kept.url ?? new URL(server.url))
  expect(called.searchParams.get('state')).toBe('state-of-app')
  await transport.finishAuth(called.searchParams)
  return kept
}

async function statusWith(token: string, path = '/mcp/docwright'): Promise<number> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  return (await server.request('POST', path, { key: token, body })).status
}

async function exchange(
  fields: Record<string, string>,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(new URL('/oauth/token', server.url), {
    method: 'POST',
    body: new URLSearchParams(fields),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

describe('an app', { timeout: 120_000 }, () => {
  it('of the official client signs a person in, reads private docs, and works nowhere else', async () => {
    const { provider, kept } = createApp()
    const transport = transportOf(provider)
    const first = new Client({ name: 'test', version: '1' })
    await expect(first.connect(transport)).rejects.toThrow(UnauthorizedError)
    const called = await consent(kept.url ?? new URL(server.url))
    expect(called.searchParams.get('iss')).toBe(server.url)
    await transport.finishAuth(called.searchParams)
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transportOf(provider))
    const found = await client.callTool({ name: 'search', arguments: { query: 'install' } })
    expect(found.isError).toBeUndefined()
    await client.close()
    const token = kept.tokens?.access_token ?? ''
    expect(await statusWith(token)).toBe(200)
    expect(await statusWith(token, '/mcp')).toBe(401)
    expect((await server.request('GET', projectPath, { key: token })).status).toBe(401)
    expect((await server.request('GET', '/docs/docwright/llms.txt', { key: token })).status).not.toBe(200)
  })

  it('starts jobs with the person’s rights at the server of jobs', async () => {
    const kept = await connect('/mcp')
    const { provider } = createApp()
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transportOf({ ...provider, tokens: () => kept.tokens }, '/mcp'))
    const made = await client.callTool({
      name: 'create_job',
      arguments: { project: 'docwright', prompt: 'Fix broken links' },
    })
    expect(made.isError).toBeUndefined()
    await client.close()
    const audit = await operate('GET', '/admin/audit')
    expect(JSON.stringify(audit)).toContain('"connectApp"')
  })

  it('renews its access, and loses all of it where an old token comes again later', async () => {
    const kept = await connect()
    const clientId = kept.client?.client_id ?? ''
    const refresh = kept.tokens?.refresh_token ?? ''
    const renewed = await exchange({
      grant_type: 'refresh_token',
      refresh_token: refresh,
      client_id: clientId,
    })
    expect([renewed.status, renewed.body]).toEqual([
      200,
      expect.objectContaining({ token_type: 'Bearer', expires_in: 3600 }),
    ])
    const access = String(renewed.body['access_token'])
    expect(await statusWith(access)).toBe(200)
    const other = await exchange({
      grant_type: 'refresh_token',
      refresh_token: refresh,
      client_id: 'app_other',
    })
    expect([other.status, other.body['error']]).toEqual([400, 'invalid_grant'])
    await fetch(new URL('/oauth/revoke', server.url), {
      method: 'POST',
      body: new URLSearchParams({ token: access }),
    })
    expect(await statusWith(access)).toBe(401)
  })

  it('is disconnected in the account, at once', async () => {
    const kept = await connect()
    const headers = { cookie: person.cookie, 'x-csrf-token': person.csrf }
    const listed = await server.request('GET', '/admin/account/apps', { headers })
    const apps = z
      .array(z.object({ id: z.string(), name: z.string(), resource: z.string() }))
      .parse(await listed.json())
    expect(apps[0]).toMatchObject({ name: 'Test app', resource: '/mcp/docwright' })
    const page = await (await server.request('GET', '/account', { headers })).text()
    expect(page).toContain(`/account/apps/${apps[0]?.id}/disconnect`)
    await server.request('POST', `/admin/account/apps/${apps[0]?.id}/disconnect`, { headers, body: {} })
    expect(await statusWith(kept.tokens?.access_token ?? '')).toBe(401)
  })

  it('gets nothing for a code that is wrong, used, or of another app', async () => {
    const verifier = 'v'.repeat(50)
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const registered = await server.request('POST', '/register', {
      body: { client_name: 'Test app', redirect_uris: [redirectUrl], application_type: 'native' },
    })
    const { client_id: client } = z.object({ client_id: z.string() }).parse(await registered.json())
    const asked = (changed: Record<string, string> = {}): URL => {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: client,
        redirect_uri: redirectUrl,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        resource: `${server.url}/mcp/docwright`,
        ...changed,
      })
      return new URL(`/account/connect?${query.toString()}`, server.url)
    }
    const codeOf = async (): Promise<string> => (await consent(asked())).searchParams.get('code') ?? ''
    const fields = { grant_type: 'authorization_code', client_id: client, redirect_uri: redirectUrl }
    const errorOf = async (changed: Record<string, string>): Promise<unknown> =>
      (await exchange({ ...fields, code: await codeOf(), code_verifier: verifier, ...changed })).body['error']
    expect(await errorOf({ code_verifier: 'w'.repeat(50) })).toBe('invalid_grant')
    expect(await errorOf({ redirect_uri: 'http://127.0.0.1:1/callback' })).toBe('invalid_grant')
    expect(await errorOf({ client_id: 'app_e30' })).toBe('invalid_grant')
    const code = await codeOf()
    const good = await exchange({ ...fields, code, code_verifier: verifier })
    expect(good.status).toBe(200)
    expect((await exchange({ ...fields, code, code_verifier: verifier })).body['error']).toBe('invalid_grant')
    // A code that comes again has leaked.
    expect(await statusWith(String(good.body['access_token']))).toBe(401)
    const open = async (url: URL): Promise<{ status: number; text: string }> => {
      const answer = await fetch(url, { headers: { cookie: person.cookie, accept: 'text/html' } })
      return { status: answer.status, text: await answer.text() }
    }
    expect((await open(asked({ redirect_uri: 'https://evil.example/' }))).status).toBe(400)
    expect((await open(asked({ client_id: 'app_nothing' }))).status).toBe(400)
    expect((await open(asked({ resource: 'https://other.example/mcp' }))).text).toContain(
      'error=invalid_target',
    )
    expect((await open(asked({ code_challenge_method: 'plain' }))).text).toContain('error=invalid_request')
  })

  it.each([
    [['javascript://x/%0aalert(1)']],
    [['http://example.com/callback']],
    [['https://user:pass@example.com/']],
    [['https://example.com/#part']],
    [[]],
    [Array.from({ length: 30 }, (_, at) => `https://example.com/${at}/${'x'.repeat(90)}`)],
  ])('is not registered with addresses that are none of an app: %j', async (addresses) => {
    const refused = await server.request('POST', '/register', {
      body: { client_name: 'x', redirect_uris: addresses },
    })
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { error: expect.stringMatching(/^invalid_/), error_description: expect.any(String) },
    ])
  })

  it('is told where to look by a 401, and keeps the page it asks for while a person signs in', async () => {
    const refused = await server.request('POST', '/mcp/docwright', { body: {} })
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp/docwright"`,
    ])
    const asked = await fetch(new URL(`/account/connect?client_id=${'a'.repeat(900)}`, server.url), {
      headers: { accept: 'text/html' },
      redirect: 'manual',
    })
    expect([asked.status, asked.headers.get('location')]).toEqual([303, '/sign-in'])
    expect(asked.headers.getSetCookie().join()).toContain('a'.repeat(900))
  })
})
