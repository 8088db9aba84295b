import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { createFakeOrigin } from '../../../tests/worlds/hosts/fake-origin.ts'
import { startFakeGitHub } from '../../../tests/worlds/hosts/github/github-server.ts'
import { createGitHub } from '../../integrations/forges/github/github.ts'
import type { Hosts } from '../../integrations/forges/hosts.ts'
import { temporaryGit } from '../../../tests/worlds/git/temporary-git.ts'
import { addProject } from '../../nouns/projects/setup/add-project.ts'
import { connectProject } from '../../nouns/projects/setup/connect-project.ts'
import { insertProject } from '../projects/projects.ts'
import { dropCredential, findConnection, saveConnection } from './connections.ts'
import { deleteOldDeliveries, recordDelivery } from './webhook.ts'
import { createAccessCache, describeHost } from './describe-host.ts'
import { createOpenConnection } from './open-connection.ts'
import { insertOrganization } from '../projects/organizations.ts'
import { isOnNamedSite, nameSite, requireNamedSite } from './named-sites.ts'

describeOnStore('what is told of a project’s host', (store) => {
  it('shows what the host says, works without the key of the server, and ends with the credential', async () => {
    await using origin = { ...(await createFakeOrigin()), forget: () => undefined }
    const fake = await startFakeGitHub(origin)
    await using _server = fake.server
    fake.tokens.set('ghp_read', {})
    const { git } = await temporaryGit()
    const site = fake.server.origin
    const hosts: Hosts = {
      all: [createGitHub()],
      ports: { fetch, now: () => new Date(), delay: async () => undefined },
      sites: [{ kind: 'github', site }],
      credentials: [],
    }
    const serverWith = (...secretKey: [Uint8Array]) => {
      const ports = { store: store(), queue: { send: async () => undefined }, git, hosts, secretKey }
      const openConnection = createOpenConnection(ports)
      const memory = createAccessCache(hosts.ports.now, 30_000)
      return { ...ports, openConnection, memory, publicUrl: undefined, ask: memory.ask }
    }
    await store().transaction((tx) => insertOrganization(tx, 'acme', true))
    const first = serverWith(Buffer.alloc(32, 1))
    const { project } = await addProject(first, {
      location: `${site}/acme/docs.git`,
      domain: randomUUID(),
      credential: { kind: 'token', token: 'ghp_read', username: 'someone' },
    })
    await store().transaction(async (tx) => {
      for (const id of ['one', 'two']) await recordDelivery(tx, project.id, id)
      await sql`update host_deliveries set created_at = now() - interval '9 days'`.execute(tx)
      await deleteOldDeliveries(tx)
    })
    expect(await store().db.selectFrom('host_deliveries').select('id').execute()).toEqual([{ id: 'two' }])
    const described = await describeHost(first, project.id)
    expect(described).toMatchObject({
      login: 'robot',
      credential: { of: 'project', kind: 'token', username: 'someone' },
      access: { defaultBranch: 'main' },
      notes: [expect.stringContaining('Contents: write') as string],
      webhook: { state: 'none', calledAt: expect.any(Date) as Date },
      problem: undefined,
    })
    expect(JSON.stringify(described)).not.toContain('ghp_read')

    // The host is asked once until something changes.
    const asked = fake.server.requests.length
    await describeHost(first, project.id)
    expect(fake.server.requests).toHaveLength(asked)
    first.memory.forget(project.id)
    await describeHost(first, project.id)
    expect(fake.server.requests.length).toBeGreaterThan(asked)

    const second = serverWith(Buffer.alloc(32, 2))
    expect(await describeHost(second, project.id)).toMatchObject({
      path: 'acme/docs',
      credential: { of: 'project', kind: undefined },
      notes: undefined,
      problem: { message: expect.stringContaining('DOCWRIGHT_SECRET_KEY') as string },
    })
    await expect(connectProject(second, project, { ref: 'main' })).rejects.toMatchObject({
      code: 'unavailable',
    })
    await connectProject(second, project, { credential: { kind: 'token', token: 'ghp_all' } })
    expect(await describeHost(second, project.id)).toMatchObject({
      credential: { of: 'project', kind: 'token' },
      notes: [],
    })
    const connection = await findConnection(store().db, second.secretKey, project.id)
    expect(connection?.webhookSecret).toMatch(/^\w{64}$/)

    await store().transaction((tx) => dropCredential(tx, project.id))
    expect(await describeHost(second, project.id)).toMatchObject({
      credential: undefined,
      login: undefined,
      notes: [expect.stringContaining('No credential') as string],
    })

    const ask = () => Promise.reject(new Error('a fault of ours'))
    await expect(describeHost({ ...second, ask }, project.id)).rejects.toThrow('a fault of ours')
  })
})

describeOnStore('sites that people name in browsers', (store) => {
  const resolveName = async (name: string): Promise<string[]> => {
    const known: Record<string, string[]> = {
      'git.example.com': ['93.184.216.34'],
      'inside.example.com': ['93.184.216.34', '10.0.0.7'],
      'metadata.example.com': ['169.254.169.254'],
    }
    if (/^[\d.]+$|:/.test(name)) return [name]
    return known[name] ?? Promise.reject(new Error('no such name'))
  }
  const hosts: Hosts = {
    all: [createGitHub()],
    ports: { fetch, now: () => new Date(), delay: async () => undefined },
    sites: [{ kind: 'gitlab', site: 'https://10.0.0.9/lab' }],
    credentials: [],
  }
  const check = (location: string, organizationId = 'org_none') => {
    const knows = (id: string) => id === organizationId
    return requireNamedSite({ db: store().db, hosts, knows, resolveName }, location)
  }

  it.each([
    'https://github.com/acme/docs',
    'https://git.example.com/acme/docs',
    'git@git.example.com:acme/docs.git',
    'https://10.0.0.9/lab/acme/docs',
  ])('may be %s', async (location) => {
    await expect(check(location)).resolves.toBeUndefined()
  })

  it.each([
    'http://127.0.0.1:5432/acme/docs',
    'https://10.0.0.9/other/docs',
    'https://10.0.0.9:8443/lab/docs',
    'https://2130706433/acme/docs',
    'https://[::1]/acme/docs',
    'https://[::ffff:10.0.0.1]/acme/docs',
    'git@10.0.0.1:acme/docs.git',
    'ssh://git@10.0.0.1/acme/docs.git',
    'https://inside.example.com/acme/docs',
    'https://metadata.example.com/latest/meta-data',
    'https://nowhere.example.com/acme/docs',
  ])('may not be %s', async (location) => {
    await expect(check(location)).rejects.toMatchObject({ code: 'invalid' })
  })

  it('may be one of this machine’s network that a project of the organization is on, and of no other', async () => {
    const site = 'https://inside.example.com'
    const organizationId = await store().transaction(async (tx) => {
      const { id } = await insertOrganization(tx, 'Inside')
      const project = await insertProject(tx, {
        organizationId: id,
        domain: randomUUID(),
        kind: 'https',
        location: `${site}/acme/docs`,
        ref: 'main',
        root: '',
        site: undefined,
      })
      const repository = { kind: 'git', site, path: 'acme/docs' } as const
      await saveConnection(tx, [Buffer.alloc(32)], {
        projectId: project.id,
        repository,
        forkPath: undefined,
        credential: undefined,
        login: undefined,
      })
      return id
    })
    await expect(check(`${site}/acme/other`, organizationId)).resolves.toBeUndefined()
    await expect(check(`${site}/acme/other`)).rejects.toMatchObject({ code: 'invalid' })
  })

  it('are checked at each connection, unless they are configured or the operator has named them', async () => {
    const named = (address: string): Promise<boolean> => isOnNamedSite(store().db, hosts, new URL(address))
    expect(await named('https://github.com/acme/docs')).toBe(true)
    expect(await named('https://api.github.com/meta')).toBe(true)
    expect(await named('https://10.0.0.9/lab/acme/docs')).toBe(true)
    expect(await named('https://10.0.0.9:8443/lab/acme/docs')).toBe(false)
    await nameSite(store(), 'git@code.example.com:acme/docs.git')
    await nameSite(store(), 'https://Code.Example.com/acme/other')
    expect(await named('https://code.example.com/acme/docs.git')).toBe(true)
    expect(await named('https://code.example.com:8443/acme/docs.git')).toBe(false)
    expect(await named('https://git.example.com/acme/docs')).toBe(false)
    // A project of that site does not make it one that the operator has named.
    expect(await named('https://inside.example.com/acme/docs')).toBe(false)
  })
})
