import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { writePages } from '../../features/docs/pages.ts'
import { createKey, type NewKey } from '../../nouns/keys/table.ts'
import { updateSettings } from '../../features/projects/projects.ts'
import type { Visibility } from '../../features/projects/visibility.ts'
import type { Store } from '../../store/database.ts'
import { createDashboardWorld, type DashboardWorld } from '../../../tests/worlds/dashboard-world.ts'

type Ask = (path: string, headers?: Record<string, string>) => Promise<Response>

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const basic = (key: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`anything:${key}`).toString('base64')}`,
})
const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` })

describeOnStore('who may read documentation pages', (store) => {
  it.each(['signed-in', 'key'] as const)(
    'cannot tell a project for %s readers from none at all, on any of its addresses',
    async (visibility) => {
      const { ask, world } = await pagesFor(store(), visibility)
      const { domain } = world.project
      const keyOfNeighbour = await neighboursKey(store(), 'admin')
      const assistantKeyOfNeighbour = await neighboursKey(store(), 'assistant')
      const requests: Record<string, string>[] = [
        {},
        browser,
        { accept: 'text/markdown' },
        bearer('svc_wrong'),
        bearer(`svc_${'0'.repeat(43)}`),
        { ...browser, ...basic(`svc_${'0'.repeat(43)}`) },
        { ...browser, ...basic('of the proxy') },
        bearer(keyOfNeighbour),
        basic(keyOfNeighbour),
        { ...browser, ...basic(assistantKeyOfNeighbour) },
        { ...browser, cookie: `docwright_4000_session=${'0'.repeat(43)}` },
      ]
      for (const path of [
        '',
        '/',
        '/a',
        '/secret',
        '/none',
        '/a.md',
        '/llms.txt',
        '/llms-full.txt',
        '/?all=1',
        '/?q=secret',
        '/a?key',
        '/%00',
      ])
        for (const headers of requests) {
          const there = await seen(await ask(`/docs/${domain}${path}`, headers), domain)
          const absent = await seen(await ask(`/docs/no-such${path}`, headers), 'no-such')
          expect(there, `${path} ${JSON.stringify(headers)}`).toEqual(absent)
          expect([303, 401, 404]).toContain(there.status)
          expect(there.headers['cache-control']).toMatch(/no-store/)
          expect(there.headers['x-robots-tag']).toBe('noindex')
          expect(JSON.stringify(there)).not.toMatch(/classified|Page a/i)
        }
    },
  )

  it('sends browsers to the sign-in page and back, and asks programs for a key', async () => {
    const { ask, world } = await pagesFor(store(), 'signed-in')
    const path = `/docs/${world.project.domain}/a?x=1`
    const sent = await ask(path, browser)
    expect(sent.status).toBe(303)
    expect(sent.headers.get('location')).toBe('/sign-in')
    const returns = sent.headers.get('set-cookie') ?? ''
    expect(decodeURIComponent(returns)).toContain(path)
    const cookie = returns.split(';')[0] ?? ''
    const signIn = await (await ask('/sign-in', { ...browser, cookie })).text()
    expect(signIn).toContain(`href="/docs/${world.project.domain}/a?x=1&amp;key"`)
    const asked = await ask(path)
    expect(asked.status).toBe(401)
    expect(asked.headers.get('www-authenticate')).toBe('Basic realm="Docwright"')
    expect(await asked.json()).toEqual({ error: expect.stringContaining('Sign in') })
    const prompted = await ask(`/docs/${world.project.domain}/a?key`, browser)
    expect(prompted.status).toBe(401)
    expect(prompted.headers.get('www-authenticate')).toBe('Basic realm="Docwright"')
    expect(prompted.headers.get('content-type')).toContain('text/html')
  })

  it('shows everything to people who are signed in, whatever the setting, and lets no cache keep it', async () => {
    for (const visibility of ['public', 'key', 'signed-in'] as const) {
      const { ask, world } = await pagesFor(store(), visibility)
      const base = `/docs/${world.project.domain}`
      const answer = await ask(`${base}/a`, { cookie: world.cookie })
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain('classified')
      expect(answer.headers.get('cache-control')).toMatch(/no-store/)
      expect(answer.headers.get('x-robots-tag')).toBe(visibility === 'public' ? null : 'noindex')
      expect((await ask(`${base}/none`, { cookie: world.cookie })).status).toBe(404)
      expect((await ask('/docs/no-such/a', { cookie: world.cookie })).status).toBe(404)
    }
  })

  it('accepts keys of the project and its organization when the pages are for keys, and not otherwise', async () => {
    const { ask, world, makeKey } = await pagesFor(store(), 'key')
    const path = `/docs/${world.project.domain}/a`
    const project = world.project.id
    const good = [await makeKey('admin'), await makeKey('assistant', project)]
    const narrow = [
      await makeKey('admin', undefined, { scopes: ['jobs:read'] }),
      await makeKey('assistant', project, { scopes: ['assistant'] }),
      await makeKey('assistant', project, { addresses: ['198.51.100.7'] }),
    ]
    for (const key of good)
      for (const headers of [bearer(key), basic(key), { ...browser, ...basic(key) }])
        expect((await ask(path, headers)).status).toBe(200)
    for (const key of narrow) expect((await ask(path, bearer(key))).status).toBe(403)
    await store().transaction((tx) => updateSettings(tx, project, () => ({ visibility: 'signed-in' })))
    for (const key of good) expect((await ask(path, bearer(key))).status).toBe(404)
  })

  it('gives public pages to anybody, whatever they send, and lists no hidden one', async () => {
    const { ask, world } = await pagesFor(store(), 'public')
    const base = `/docs/${world.project.domain}`
    for (const headers of [{}, browser, bearer('svc_wrong'), basic('of the proxy')])
      expect((await ask(`${base}/a`, headers)).status).toBe(200)
    const hidden = await ask(`${base}/secret`)
    expect(hidden.status).toBe(200)
    expect(hidden.headers.get('x-robots-tag')).toBe('noindex')
    expect((await ask(`${base}/a`)).headers.get('x-robots-tag')).toBeNull()
    for (const list of ['?all=1', 'llms.txt', 'llms-full.txt'])
      expect(await (await ask(`${base}/${list}`)).text()).not.toContain('/secret')
  })
})

async function pagesFor(
  store: Store,
  visibility: Visibility,
): Promise<{
  ask: Ask
  world: DashboardWorld
  makeKey: (kind: NewKey['kind'], projectId?: string, limits?: Partial<NewKey>) => Promise<string>
}> {
  const world = await createDashboardWorld(store)
  const { project } = world
  const pages = ['a', 'secret'].map((name) => ({
    page: {
      path: `${name}.md`,
      url: `/${name}`,
      title: `Page ${name}`,
      description: undefined,
      language: undefined,
      version: undefined,
      groups: [],
      sections: [],
      hidden: name === 'secret',
    },
    oid: 'x',
    included: {},
    content: 'classified',
  }))
  await store.transaction((tx) => writePages(tx, project.id, pages, []))
  await store.transaction((tx) => updateSettings(tx, project.id, () => ({ visibility })))
  return {
    ask: async (path, headers = {}) => world.app.request(path, { headers }),
    world,
    makeKey: async (kind, projectId, limits) => {
      const owner = { kind, organizationId: project.organizationId, projectId }
      return (await store.transaction((tx) => createKey(tx, { ...owner, ...limits }))).secret
    },
  }
}

async function neighboursKey(store: Store, kind: NewKey['kind']): Promise<string> {
  const { makeKey, world } = await pagesFor(store, 'key')
  return makeKey(kind, kind === 'assistant' ? world.project.id : undefined)
}

/** A response without what differs between any two requests, and without the project's name. */
async function seen(
  response: Response,
  domain: string,
): Promise<{ status: number; headers: Record<string, string>; body: string }> {
  const without = (text: string): string => text.replaceAll(domain, 'DOMAIN')
  const headers = [...response.headers].filter(([name]) => !['x-request-id', 'content-length'].includes(name))
  return {
    status: response.status,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, without(value)])),
    body: without(await response.text()),
  }
}
