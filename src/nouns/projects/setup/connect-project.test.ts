import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { createFakeOrigin } from '../../../../tests/worlds/hosts/fake-origin.ts'
import { startFakeGitHub } from '../../../../tests/worlds/hosts/github/github-server.ts'
import { createGitHub } from '../../../integrations/forges/github/github.ts'
import type { Hosts } from '../../../integrations/forges/hosts.ts'
import { temporaryGit } from '../../../../tests/worlds/git/temporary-git.ts'
import { addProject } from './add-project.ts'
import { credentialOf, withCredential } from '../../../integrations/git/remote.ts'
import { checkRepository } from './check-repository.ts'
import { connectProject } from './connect-project.ts'
import { dropCredential } from '../../../features/connections/connections.ts'
import { describeHost } from '../../../features/connections/describe-host.ts'
import {
  createOpenConnection,
  remoteForReading,
  hostsOfProject,
} from '../../../features/connections/open-connection.ts'
import { insertOrganization, resolveOrganization } from '../../../features/projects/organizations.ts'
import { setUpWebhook } from '../../../features/connections/webhook.ts'

describeOnStore('a project that is connected to another repository', (store) => {
  /** @param server what the server itself has for the host */
  async function portsFor(fake: Awaited<ReturnType<typeof startFakeGitHub>>, server?: { token: string }) {
    const site = fake.server.origin
    const hosts: Hosts = {
      all: [createGitHub()],
      ports: { fetch, now: () => new Date(), delay: async () => undefined },
      sites: [{ kind: 'github', site }],
      credentials: server ? [{ kind: 'github', site, credential: { kind: 'token', ...server } }] : [],
    }
    const { git } = await temporaryGit()
    const secretKey = [Buffer.alloc(32, 7)] as const
    const ports = { store: store(), queue: { send: async () => undefined }, git, hosts, secretKey }
    return { site, ports, openConnection: createOpenConnection(ports) }
  }

  it('removes the webhook, or says where one is left', async () => {
    await using origin = { ...(await createFakeOrigin()), forget: () => undefined }
    const fake = await startFakeGitHub(origin)
    await using _server = fake.server
    const { site, ports, openConnection } = await portsFor(fake)
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

  it('uses the credentials of the server for the first organization alone', async () => {
    await using origin = { ...(await createFakeOrigin()), forget: () => undefined }
    const fake = await startFakeGitHub(origin)
    await using _server = fake.server
    const { site, ports, openConnection } = await portsFor(fake, { token: 'ghp_all' })
    const { hosts } = ports
    const other = await store().transaction((tx) => insertOrganization(tx, 'Other'))
    const { id: first } = await resolveOrganization(store().db)
    const location = `${site}/acme/docs.git`
    const { project } = await addProject(ports, { location, domain: 'first' })
    expect((await openConnection(project.id))?.hosted).toBeDefined()
    const check = (organizationId: string) =>
      checkRepository({ ...ports, publicUrl: undefined }, { organizationId, location })
    expect(await check(first)).toMatchObject({ login: 'robot' })

    // The repository is private, and the other organization has no token for it.
    const foreign = { location, domain: 'foreign', organizationId: other.id }
    await expect(addProject(ports, foreign)).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(check(other.id)).rejects.toMatchObject({ code: 'unauthorized' })
    const credential = { kind: 'token', token: 'ghp_all' } as const
    const { project: own } = await addProject(ports, { ...foreign, credential })
    expect((await openConnection(own.id))?.hosted).toBeDefined()
    await expect(connectProject(ports, own, { credential: null })).rejects.toMatchObject({
      code: 'unauthorized',
    })
    await store().transaction((tx) => dropCredential(tx, own.id))
    const left = await openConnection(own.id)
    expect([left?.hosted, left?.credential]).toEqual([undefined, undefined])
    const reading = remoteForReading(await hostsOfProject(store().db, hosts, own.id), location, left)
    expect(credentialOf(await withCredential(reading))).toBeUndefined()
    const asked = { ...ports, openConnection, publicUrl: undefined, ask: async () => undefined }
    expect((await describeHost(asked, own.id))?.credential).toBeUndefined()
    expect((await describeHost(asked, project.id))?.credential).toMatchObject({ of: 'server' })
  })
})
