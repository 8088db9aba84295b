import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { createFakeOrigin } from '../../../../tests/worlds/hosts/fake-origin.ts'
import { startFakeGitHub } from '../../../../tests/worlds/hosts/github/github-server.ts'
import { createGitHub } from '../../../integrations/forges/github/github.ts'
import type { Hosts } from '../../../integrations/forges/hosts.ts'
import { temporaryGit } from '../../../../tests/worlds/git/temporary-git.ts'
import { addProject } from '../add-project.ts'
import { connectProject } from './connect-project.ts'
import { createOpenConnection } from './open-connection.ts'
import { insertOrganization } from '../organizations.ts'
import { setUpWebhook } from './set-up-webhook.ts'

describeOnStore('a project that is connected to another repository', (store) => {
  it('removes the webhook, or says where one is left', async () => {
    await using origin = { ...(await createFakeOrigin()), forget: () => undefined }
    const fake = await startFakeGitHub(origin)
    await using _server = fake.server
    const { git } = await temporaryGit()
    const site = fake.server.origin
    const hosts: Hosts = {
      all: [createGitHub()],
      ports: { fetch, now: () => new Date(), delay: async () => undefined },
      sites: [{ kind: 'github', site }],
      credentials: [],
    }
    const secretKey = [Buffer.alloc(32, 7)] as const
    const queue = { send: async () => undefined }
    const ports = { store: store(), queue, git, hosts, secretKey }
    const openConnection = createOpenConnection(ports)
    await store().transaction((tx) => insertOrganization(tx, 'acme', true))
    const { project } = await addProject(ports, {
      // The address of a page of the repository, as people copy it from the browser.
      location: `${site}/acme/docs/tree/main`,
      credential: { kind: 'token', token: 'ghp_all' },
    })
    expect(project).toMatchObject({ domain: 'docs', location: `${site}/acme/docs.git` })
    const setUp = () => setUpWebhook({ ...ports, openConnection, publicUrl: site }, project.id)
    await setUp()
    expect(fake.hooks).toHaveLength(1)
    // The same repository in another spelling.
    await connectProject(ports, project, { location: `${site}/acme/docs.git/` })
    expect(fake.hooks).toHaveLength(1)
    await setUp()
    const moved = await connectProject(ports, project, { location: `${site}/robot/docs.git` })
    expect([moved.notes, fake.hooks]).toEqual([[], []])

    await setUp()
    fake.tokens.set('ghp_all', { contents: 'write', pull_requests: 'write' })
    const back = await connectProject(ports, project, { location: `${site}/acme/docs.git` })
    expect(back.notes).toEqual([expect.stringContaining(`/hosts/${project.id}/webhook`)])
  })
})
