import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { createFakeOrigin } from '../../../tests/worlds/hosts/fake-origin.ts'
import { startFakeGitea } from '../../../tests/worlds/hosts/gitea/gitea-server.ts'
import { createGitea } from '../../integrations/forges/gitea/gitea.ts'
import type { Hosts } from '../../integrations/forges/hosts.ts'
import { findConnection, saveConnection } from './connections.ts'
import { createOpenConnection } from './open-connection.ts'
import { insertOrganization } from '../projects/organizations.ts'
import { findProject, insertProject } from '../projects/projects.ts'
import { createConnectionRefresh } from './webhook.ts'
import { removeProject } from '../../nouns/projects/setup/connect-project.ts'

describeOnStore('connections that are older than what the server is now', (store) => {
  it('get their kind, a secret and a webhook, which follows the address and goes with the project', async () => {
    await using origin = { ...(await createFakeOrigin()), forget: () => undefined }
    const fake = await startFakeGitea(origin)
    await using _server = fake.server
    const site = fake.server.origin
    const key = [Buffer.alloc(32, 7)] as const
    let isAway = true
    const hosts: Hosts = {
      all: [createGitea()],
      ports: {
        fetch: (...request) => (isAway ? Promise.reject(new Error('away')) : fetch(...request)),
        now: () => new Date(),
        delay: async () => undefined,
      },
      sites: [],
      credentials: [{ kind: 'gitea', site, credential: { kind: 'token', token: 'all' } }],
    }
    const project = await store().transaction(async (tx) => {
      const made = await insertProject(tx, {
        organizationId: (await insertOrganization(tx, 'acme', true)).id,
        domain: randomUUID(),
        kind: 'https',
        location: `${site}/acme/docs.git`,
        ref: 'main',
        root: '',
        site: undefined,
      })
      // The state after the migration.
      await sql`insert into project_hosts (project_id, kind, site, path) values (${made.id}, 'git', ${site}, 'acme/docs')`.execute(
        tx,
      )
      return made
    })
    const openConnection = createOpenConnection({ store: store(), hosts, secretKey: key })
    const errors: unknown[] = []
    const refreshAt = (publicUrl: string | undefined) =>
      createConnectionRefresh({
        store: store(),
        hosts,
        secretKey: key,
        openConnection,
        publicUrl,
        reportError: (error) => errors.push(error),
      })(new AbortController().signal)
    const connection = () => findConnection(store().db, key, project.id)
    await refreshAt('https://one.example')
    expect(await connection()).toMatchObject({ webhookSecret: '', repository: { kind: 'git' } })

    isAway = false
    await Promise.all([refreshAt('https://one.example'), refreshAt('https://one.example')])
    const found = await connection()
    expect(found).toMatchObject({ repository: { kind: 'gitea', site, path: 'acme/docs' }, webhook: 'active' })
    expect(found?.webhookSecret).toMatch(/^[0-9a-f]{64}$/)

    const config = { url: 'https://one.example/hosts/prj_other/webhook', content_type: 'json' }
    fake.hooks.push({ id: 77, body: { events: ['push'], config } })
    await refreshAt('https://two.example/below')
    const urls = () => fake.hooks.map(({ body }) => (body['config'] as { url: string }).url)
    expect(urls().toSorted()).toEqual([
      'https://one.example/hosts/prj_other/webhook',
      `https://two.example/below/hosts/${project.id}/webhook`,
    ])
    await refreshAt(undefined)
    expect(await connection()).toMatchObject({ webhook: 'none' })
    await refreshAt('https://two.example')

    let forgotten = 0
    const prepareForget = async () => async () => void forgotten++
    expect(await removeProject({ store: store(), openConnection, prepareForget }, project)).toEqual([])
    expect([urls(), forgotten]).toEqual([['https://one.example/hosts/prj_other/webhook'], 1])
    expect(errors).toEqual([])
  })

  it('says where a webhook is left when the secret key is gone, and removes the project all the same', async () => {
    const key = [Buffer.alloc(32, 7)] as const
    const project = await store().transaction(async (tx) => {
      const made = await insertProject(tx, {
        organizationId: (await insertOrganization(tx, 'acme')).id,
        domain: randomUUID(),
        kind: 'https',
        location: 'https://git.example.com/acme/docs.git',
        ref: 'main',
        root: '',
        site: undefined,
      })
      const repository = { kind: 'gitea' as const, site: 'https://git.example.com', path: 'acme/docs' }
      const credential = { kind: 'token' as const, token: 'all' }
      await saveConnection(tx, key, {
        projectId: made.id,
        repository,
        credential,
        forkPath: undefined,
        login: undefined,
      })
      await sql`update project_hosts set webhook_state = 'active' where project_id = ${made.id}`.execute(tx)
      return made
    })
    const hosts: Hosts = {
      all: [createGitea()],
      ports: {
        fetch: () => Promise.reject(new Error('away')),
        now: () => new Date(),
        delay: async () => undefined,
      },
      sites: [],
      credentials: [],
    }
    const openConnection = createOpenConnection({ store: store(), hosts, secretKey: [Buffer.alloc(32, 8)] })
    const prepareForget = async () => async () => undefined
    const notes = await removeProject({ store: store(), openConnection, prepareForget }, project)
    expect(notes).toEqual([expect.stringContaining(`ends in /hosts/${project.id}/webhook`)])
    expect(await findProject(store().db, project.id)).toBeUndefined()
  })
})
