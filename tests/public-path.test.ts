import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { path, startBelowPath, type ProxyKind, type ServerBelowPath } from './path-proxy.ts'
import { runCommand, settledJob } from './server.ts'
import { walkPages } from './walk-pages.ts'
import { oidcClient, startOidcProvider, type OidcProvider } from './worlds/oidc-provider.ts'

let world: ServerBelowPath
let provider: OidcProvider
let base = ''
let job = ''
/** Of a person who is signed in. */
let cookie = ''

beforeAll(async () => {
  provider = await startOidcProvider()
  world = await startBelowPath({
    DOCWRIGHT_OIDC_ISSUER: provider.issuer,
    DOCWRIGHT_OIDC_CLIENT_ID: oidcClient.clientId,
    DOCWRIGHT_OIDC_CLIENT_SECRET: oidcClient.clientSecret,
  })
  base = world.server.url
  expect(base).toMatch(/\/docwright$/)
  const { signInLink, projectId, adminKey } = world.server.welcome
  const link = new URL(signInLink).searchParams.get('token') ?? ''
  const account = { link, name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
  const made = await fetch(`${base}/sign-in/owner`, {
    method: 'POST',
    body: new URLSearchParams(account),
    redirect: 'manual',
  })
  expect([made.status, made.headers.get('location')]).toEqual([303, `${path}/`])
  const cookies = made.headers.getSetCookie()
  expect(cookies).toEqual([expect.stringContaining(`; Path=${path}; `)])
  cookie = cookies.map((one) => one.split(';')[0]).join('; ')
  const created = await world.server.request('POST', `/v2/agent/${projectId}/job`, {
    key: adminKey,
    body: { prompt: 'Replace "Docwright" with "Docwright server" in the quickstart page' },
  })
  const { id } = (await created.json()) as { id: string }
  job = `/v2/agent/${projectId}/job/${id}`
  await settledJob(world.server, job, adminKey)
})
afterAll(async () => {
  await world?.[Symbol.asyncDispose]()
  await provider?.[Symbol.asyncDispose]()
})

describe.each<ProxyKind>(['strips', 'keeps'])('behind a proxy that %s the path', (kind) => {
  beforeAll(() => {
    world.kind = kind
  })

  it('names only addresses below the path to programs', async () => {
    const { adminKey, assistantKey, domain } = world.server.welcome
    const body = (await (await world.server.request('GET', job, { key: adminKey })).json()) as Body
    expect(body.prLink).toMatch(new RegExp(`^${base}/projects/docwright/pulls/1`))
    expect(body.source.repository).toBe(`${base}/git/docwright.git`)
    const { servers } = (await (await fetch(`${base}/openapi.json`)).json()) as { servers: object[] }
    expect(servers).toEqual([{ url: path }])

    const page = await fetch(`${base}/docs/docwright/quickstart`)
    // Other programs of the host do not learn the tokens that addresses may hold.
    expect(page.headers.get('referrer-policy')).toBe('strict-origin')
    expect(page.headers.get('link')).toContain(`<${path}/docs/docwright/quickstart.md>`)
    const list = await (await fetch(`${base}/docs/docwright/llms.txt`)).text()
    const addresses = [...list.matchAll(/https?:\/\/[^\s)]+/g)].map(([address]) => address)
    expect(addresses.length).toBeGreaterThan(20)
    expect(addresses.filter((address) => !address.startsWith(`${base}/`))).toEqual([])

    const answer = await world.server.request('POST', `/discovery/v2/assistant/${domain}/message`, {
      key: assistantKey,
      body: {
        fp: 'x',
        messages: [{ role: 'user', parts: [{ type: 'text', text: 'How do I make a key?' }] }],
      },
    })
    const sources = [...(await answer.text()).matchAll(/"type":"source-url"[^}]*"url":"([^"]+)"/g)]
    expect(sources.length).toBeGreaterThan(0)
    for (const [, url = ''] of sources) {
      expect(url).toMatch(new RegExp(`^${base}/docs/docwright/`))
      expect((await fetch(url)).status).toBe(200)
    }
    expect(world.outside).toEqual([])
  })

  it('serves repositories to git, tools to agents, and jobs to the terminal', async () => {
    const { adminKey, projectId } = world.server.welcome
    const folder = await mkdtemp(join(tmpdir(), 'docwright-clone-'))
    const address = new URL(`${base}/git/docwright.git`)
    Object.assign(address, { username: 'x', password: adminKey })
    await promisify(execFile)('git', ['clone', '-q', address.href, folder])

    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp/docwright`)))
    const found = await client.callTool({ name: 'search', arguments: { query: 'keys' } })
    expect(JSON.stringify(found.structuredContent)).toContain(`${base}/docs/docwright/`)
    await client.close()
    const card = await fetch(`${base}/mcp/docwright/server-card`)
    expect(JSON.stringify(await card.json())).toContain(`${base}/mcp/docwright`)

    vi.stubEnv('DOCWRIGHT_ADMIN_KEY', adminKey)
    const options = ['--url', base, '--project', projectId, '--once-key', kind]
    const prompt = `Add a page "A proxy that ${kind}" with: It works.`
    const { code, stdout } = await runCommand(world.server.dataFolder, 'run-job', prompt, ...options)
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`${base}/projects/docwright/pulls/\\d`)),
    ])
    // Commands on the machine itself do not pass the proxy.
    expect((await runCommand(world.server.dataFolder, 'project', 'list')).stdout).toContain('docwright')
    expect(world.outside).toEqual([])
  })

  it('sends people back where they came from, and to no other program of the host', async () => {
    const refused = await fetch(`${base}/projects/docwright/jobs?state=open`, { redirect: 'manual' })
    expect([refused.status, refused.headers.get('location')]).toEqual([303, `${path}/sign-in`])
    const wanted = (address: string) =>
      fetch(`${base}/sign-in?return=${encodeURIComponent(address)}`, {
        headers: { cookie },
        redirect: 'manual',
      }).then((answer) => answer.headers.get('location'))
    // A script knows the address as the browser shows it.
    expect(await wanted(`${path}/people?x=1`)).toBe(`${path}/people?x=1`)
    expect(await wanted('/people')).toBe(`${path}/people`)
    for (const foreign of ['//evil.example', `${path}//evil.example`, `${path}/x/..//evil.example`])
      expect(await wanted(foreign)).toBe(`${path}/`)
    const form = { method: 'POST', body: new URLSearchParams({ email: 'x', password: 'x' }) }
    for (const site of ['cross-site', 'same-site'])
      expect(
        (await fetch(`${base}/sign-in/password`, { ...form, headers: { 'sec-fetch-site': site } })).status,
      ).toBe(403)
    expect(world.outside).toEqual([])
  })
})

it.each<ProxyKind>(['strips', 'keeps'])(
  'signs in at another server behind a proxy that %s the path',
  async (kind) => {
    world.kind = kind
    provider.person = { sub: kind, email: `${kind}@example.com`, name: 'Olga', email_verified: true }
    const { stdout } = await runCommand(world.server.dataFolder, 'people', 'invite', '--role', 'viewer')
    const link = /token=(\w+)/.exec(stdout)?.[1] ?? ''
    expect(stdout).toContain(`${base}/join?token=`)
    const begun = await fetch(`${base}/sign-in/provider`, {
      method: 'POST',
      body: new URLSearchParams({ provider: 'oidc', link }),
    })
    const cookies = begun.headers.getSetCookie()
    expect(cookies.length).toBeGreaterThan(1)
    expect(cookies.filter((one) => !one.includes(`; Path=${path}`))).toEqual([])
    const away = /content="0;url=([^"]+)"/.exec(await begun.text())?.[1]?.replaceAll('&amp;', '&') ?? ''
    const back = (await fetch(away, { redirect: 'manual' })).headers.get('location') ?? ''
    expect(back.startsWith(`${base}/sign-in/callback/oidc?`)).toBe(true)
    const sent = cookies.map((one) => one.split(';')[0]).join('; ')
    const joined = await fetch(back, { headers: { cookie: sent }, redirect: 'manual' })
    expect([joined.status, joined.headers.get('location')]).toEqual([303, `${path}/`])
    const session = joined.headers.getSetCookie().map((one) => one.split(';')[0])
    const account = await fetch(`${base}/account`, { headers: { cookie: session.join('; ') } })
    expect(await account.text()).toContain(`${kind}@example.com`)
    // A refusal comes back to the page for signing in.
    const late = await fetch(back, { redirect: 'manual' })
    expect(late.headers.get('location')).toMatch(new RegExp(`^${path}/sign-in\\?error=`))
    expect(world.outside).toEqual([])
  },
)

it('leads a person nowhere else by any link or form of its pages', async () => {
  world.kind = 'turns'
  const words = ['', 'sync', 'key', 'settings', 'add', 'new', 'playground', 'server', 'audit', 'webhooks']
  const { links, forms, dead } = await walkPages(base, cookie, [
    '/',
    '/projects',
    '/reference',
    '/docs/docwright/',
    '/docs/docwright/?all=1',
    '/docs/docwright/?q=key',
    '/nothing',
    ...words.map((word) => `/find?project=docwright&query=${word}`),
  ])
  // The page for an address without a page is looked at, too.
  expect(dead.filter((one) => !one.startsWith('404 /nothing '))).toEqual([])
  expect(world.outside).toEqual([])
  expect([...links].filter((url) => url.startsWith('/assets/')).length).toBeGreaterThan(10)
  expect(forms.size).toBeGreaterThan(20)
})

interface Body {
  prLink: string
  source: { repository: string }
}
