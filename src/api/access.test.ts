import type { KyselyPlugin } from 'kysely'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../tests/stores.ts'
import type { Verb } from '../features/projects/rights.ts'
import { createKey, type NewKey } from '../nouns/keys/table.ts'
import { insertOrganization } from '../features/projects/organizations.ts'
import { insertAccount } from '../nouns/people/accounts.ts'
import { addMember } from '../nouns/people/members.ts'
import { insertProject, type Project } from '../features/projects/projects.ts'
import { openSession } from '../features/projects/sign-in.ts'
import { json, type Store } from '../store/database.ts'
import { createAccess } from './access.ts'
import { createApp } from './app.ts'
import { createClientAddress } from './client-address.ts'
import { sharerOf } from './sharer.ts'

describeOnStore('access', (store) => {
  it('refuses a key without the scope, and names the scope', async () => {
    const { ask, keyWith } = await world(store())
    const key = await keyWith({ scopes: ['jobs:read'] })
    expect(await ask(key, { verb: 'getJob' })).toEqual([200, ''])
    expect(await ask(key, { verb: 'createJob' })).toEqual([403, expect.stringContaining('"jobs:write"')])
    expect(await ask(await keyWith({}), { verb: 'testWebhook' })).toEqual([200, ''])
  })

  it('reads key and project in one statement, and records the use in the background', async () => {
    let statements = 0
    const count: KyselyPlugin = {
      transformQuery({ node }) {
        statements += 1
        return node
      },
      transformResult: ({ result }) => Promise.resolve(result),
    }
    const { ask, keyWith } = await world({ ...store(), db: store().db.withPlugin(count) })
    const key = await keyWith({ name: 'counted' })
    for (let asked = 1; asked <= 3; asked++) {
      expect(await ask(key, {})).toEqual([200, ''])
      expect(statements).toBe(asked)
    }
    const lastUse = async (): Promise<Date | null | undefined> =>
      (await store().db.selectFrom('keys').selectAll().where('name', '=', 'counted').executeTakeFirst())
        ?.last_used_at
    await expect.poll(lastUse).toBeInstanceOf(Date)
  })

  it('knows once a page of another site has asked with a key, and takes nothing else for that', async () => {
    const { ask, keyWith, project } = await world(store())
    const [own, site] = ['http://127.0.0.1:4000', 'https://docs.example.com']
    const use = async (name: string, asked: Asked, limits: Partial<NewKey> = {}) =>
      ask(await keyWith({ kind: 'assistant', projectId: project.id, name, ...limits }), asked)
    await use('of a program', { verb: 'askAssistant' })
    await use('on our own page', { verb: 'askAssistant', origin: own })
    await use('on our page by https', { verb: 'askAssistant', origin: own, site: 'same-origin' })
    await use('of a search', { verb: 'search', origin: site })
    const refused = await use('of elsewhere', { verb: 'askAssistant', origin: site }, { origins: [own] })
    expect(refused[0]).toBe(403)
    await use('on a site', { verb: 'askAssistant', origin: site })
    const known = async (): Promise<string[]> => {
      const keys = store().db.selectFrom('keys').select('name').where('project_id', '=', project.id)
      return (await keys.where('asked_on_site_at', 'is not', null).orderBy('id').execute()).map(
        ({ name }) => name,
      )
    }
    await use('on a site by https', { verb: 'askAssistant', origin: site, site: 'cross-site' })
    await expect.poll(known).toEqual(['on a site', 'on a site by https'])
  })

  it('accepts a key with addresses only from those addresses, also behind a trusted proxy', async () => {
    const { ask, keyWith } = await world(store())
    const key = await keyWith({ addresses: ['203.0.113.0/24', '2001:DB8::/32'] })
    for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8:1::1'])
      expect([address, await ask(key, { address })]).toEqual([address, [200, '']])
    for (const address of ['203.0.114.9', '2001:db9::1', '::1'])
      expect([address, (await ask(key, { address }))[0]]).toEqual([address, 403])
    expect((await ask(key, { address: '10.0.0.1', forwarded: '203.0.113.9' }))[0]).toBe(200)
    expect((await ask(key, { address: '10.0.0.1', forwarded: '203.0.113.9, 198.51.100.1' }))[0]).toBe(403)
    // A client that is not a proxy can write anything into this header.
    expect((await ask(key, { address: '198.51.100.1', forwarded: '203.0.113.9' }))[0]).toBe(403)
  })

  it('counts what a person uses as that person’s, in the project and its organization', async () => {
    const { ask, project } = await world(store())
    const { id, secret } = await store().transaction(async (tx) => {
      const id = await insertAccount(tx, { name: 'Ada', email: 'ada@example.com', passwordHash: undefined })
      await addMember(tx, project.organizationId, id, 'viewer')
      return { id, secret: (await openSession(tx, id)).secret }
    })
    const sharer = { person: id, project: project.id, organization: project.organizationId }
    const cookie = `docwright_4000_session=${secret}`
    expect(await ask('', { cookie })).toEqual([200, JSON.stringify(sharer)])
  })

  it('takes somebody of another organization for a reader of public pages', async () => {
    const { ask, project } = await world(store())
    const secret = await store().transaction(async (tx) => {
      const id = await insertAccount(tx, { name: 'Eve', email: 'eve@example.com', passwordHash: undefined })
      await addMember(tx, (await insertOrganization(tx, 'Other')).id, id, 'owner')
      await tx
        .updateTable('projects')
        .set({ settings: json({ visibility: 'public', assistantOnDocs: true }) })
        .where('id', '=', project.id)
        .execute()
      return (await openSession(tx, id)).secret
    })
    const cookie = `docwright_4000_session=${secret}`
    expect((await ask('', { cookie, site: 'same-origin', verb: 'askAssistant' }))[0]).toBe(200)
    // What they may not read looks like nothing.
    for (const asked of [
      { site: 'cross-site', verb: 'askAssistant' },
      { site: 'same-origin', verb: 'getJob' },
    ] as const)
      expect((await ask('', { cookie, ...asked }))[0]).toBe(404)
    await store().transaction((tx) =>
      tx
        .updateTable('projects')
        .set({ settings: json({ visibility: 'signed-in', assistantOnDocs: true }) })
        .where('id', '=', project.id)
        .execute(),
    )
    expect((await ask('', { cookie, site: 'same-origin', verb: 'askAssistant' }))[0]).toBe(404)
  })

  it('tells a key that may not be used nothing about projects', async () => {
    const { ask, keyWith } = await world(store())
    const key = await keyWith({ addresses: ['203.0.113.7'] })
    expect(await ask(key, { address: '192.0.2.1', path: '/nothing' })).toEqual(
      await ask(key, { address: '192.0.2.1' }),
    )
  })

  it.each([
    { scopes: ['jobs'] },
    { scopes: ['search'] },
    { addresses: ['203.0.113.0/33'] },
    { addresses: ['example.com'] },
    { addresses: ['fe80::1%eth0'] },
    { addresses: Array.from({ length: 51 }, () => '203.0.113.7') },
  ])('makes no key with %j', async (limits) => {
    const { keyWith } = await world(store())
    await expect(keyWith(limits)).rejects.toMatchObject({ code: 'invalid' })
  })
})

interface Asked {
  verb?: Verb
  address?: string
  forwarded?: string
  path?: string
  cookie?: string
  /** What a browser says of the page that asks. */
  site?: string
  origin?: string
}

async function world(store: Store): Promise<{
  ask(key: string, asked: Asked): Promise<[status: number, error: string]>
  keyWith(limits: Partial<NewKey>): Promise<string>
  project: Project
}> {
  const project: Project = await store.transaction(async (tx) => {
    const { id: organizationId } = await insertOrganization(tx, 'Test')
    const domain = `docs-${organizationId.slice(-12)}`
    const place = { kind: 'path', location: '/srv/docs.git', ref: 'main', root: '', site: undefined } as const
    return insertProject(tx, { organizationId, domain, ...place })
  })
  const publicUrl = () => 'http://127.0.0.1:4000'
  const access = createAccess({
    store,
    operatorToken: 'operator',
    addressOf: createClientAddress(['10.0.0.0/8']),
    publicUrl,
  })
  const app = createApp({ log: pino({ level: 'silent' }), publicUrl, isDraining: () => false }, [
    {
      route: { method: 'get', path: '/{projectId}/{verb}', responses: {}, hide: true },
      async handle(context) {
        await access.project(context, context.req.param('verb') as Verb)
        const { person, project, organization } = sharerOf(context)
        return context.json({
          error: person === undefined ? '' : JSON.stringify({ person, project, organization }),
        })
      },
    },
  ])
  return {
    project,
    async ask(key, { cookie, site, origin, ...asked }) {
      const { verb = 'getJob', address = '192.0.2.1', forwarded = '', path = `/${project.id}` } = asked
      const who = cookie === undefined ? { authorization: `Bearer ${key}` } : { cookie }
      const headers = {
        ...who,
        'x-forwarded-for': forwarded,
        ...(site === undefined ? {} : { 'sec-fetch-site': site }),
        ...(origin === undefined ? {} : { origin }),
      }
      const socket = { remoteAddress: address, remotePort: 1, remoteFamily: 'IPv4' }
      const response = await app.request(`${path}/${verb}`, { headers }, { incoming: { socket } })
      return [response.status, ((await response.json()) as { error: string }).error]
    },
    keyWith: async (limits) => {
      const { organizationId } = project
      const made = await store.transaction((tx) =>
        createKey(tx, { kind: 'admin', organizationId, ...limits }),
      )
      return made.secret
    },
  }
}
