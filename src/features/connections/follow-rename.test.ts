import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { createFakeOrigin } from '../../../tests/worlds/hosts/fake-origin.ts'
import { startFakeGitea } from '../../../tests/worlds/hosts/gitea/gitea-server.ts'
import { createGitea } from '../../integrations/forges/gitea/gitea.ts'
import type { Store } from '../../store/database.ts'
import { insertOrganization } from '../projects/organizations.ts'
import { insertProject } from '../projects/projects.ts'
import { saveConnection } from './connections.ts'
import { askHostWhy } from './follow-rename.ts'
import { createOpenConnection } from './open-connection.ts'

describeOnStore('what a host says of a repository that git could not use', (store) => {
  it('is for reading no permission to publish, and no archive', async () => {
    await using world = await openWorld(store(), ['read:repository'])
    expect(await world.ask('read')).toEqual({ type: 'nothing' })
    expect(await world.ask('push')).toMatchObject({
      error: { message: expect.stringContaining('says what is missing to publish') as string },
    })
    world.fake.settings.archived = true
    expect(await world.ask('read')).toEqual({ type: 'nothing' })
    expect(await world.ask('push')).toMatchObject({
      error: { message: expect.stringContaining('is archived on Gitea') as string },
    })
  })

  it('is for both that its credential is wrong', async () => {
    await using world = await openWorld(store(), ['read:repository'])
    world.fake.tokens.clear()
    for (const wanted of ['read', 'push'] as const)
      expect(await world.ask(wanted)).toMatchObject({ type: 'refused', error: { code: 'unauthorized' } })
  })
})

/** A project on a Gitea, with a token of these scopes. */
async function openWorld(store: Store, scopes: string[]) {
  const origin = { ...(await createFakeOrigin()), forget: () => undefined }
  const fake = await startFakeGitea(origin)
  fake.tokens.set('some', scopes)
  const site = fake.server.origin
  const key = [Buffer.alloc(32, 7)] as const
  const project = await store.transaction(async (tx) => {
    const made = await insertProject(tx, {
      organizationId: (await insertOrganization(tx, 'acme')).id,
      domain: randomUUID(),
      kind: 'https',
      location: `${site}/acme/docs.git`,
      ref: 'main',
      root: '',
      site: undefined,
    })
    await saveConnection(tx, key, {
      projectId: made.id,
      repository: { kind: 'gitea', site, path: 'acme/docs' },
      credential: { kind: 'token', token: 'some' },
      forkPath: undefined,
      login: undefined,
    })
    return made
  })
  const hosts = {
    all: [createGitea()],
    ports: { fetch, now: () => new Date(), delay: async () => undefined },
    sites: [],
    credentials: [],
  }
  const openConnection = createOpenConnection({ store, hosts, secretKey: key })
  return {
    fake,
    ask: (wanted: 'read' | 'push') => askHostWhy({ store, openConnection }, project.id, wanted),
    async [Symbol.asyncDispose]() {
      await fake.server[Symbol.asyncDispose]()
      await origin[Symbol.asyncDispose]()
    },
  }
}
