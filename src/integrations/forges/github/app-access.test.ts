import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createGitHubWorld, type GitHubWorld } from '../../../../tests/worlds/hosts/github/github-world.ts'
import type { HostCredential } from '../host.ts'

const text = { title: 'Say more', body: 'Why', base: 'main', draft: false }
const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
})
const app: HostCredential = { kind: 'github_app', appId: '123', privateKey }

function installApp(world: GitHubWorld, permissions: Record<string, string> = {}): void {
  world.fake.settings.app = {
    id: '123',
    publicKey,
    suspended: false,
    permissions: {
      contents: 'write',
      pull_requests: 'write',
      metadata: 'read',
      statuses: 'write',
      ...permissions,
    },
  }
}

describe('a GitHub App', () => {
  it('works by tokens for this repository with no more than is needed, and keeps them', async () => {
    await using world = await createGitHubWorld()
    installApp(world, { administration: 'write' })
    await world.push('work', 'a.md', 'a')
    const hosted = world.open(app)
    const { number } = await hosted.forge.open({ ...text, head: 'work' })
    await hosted.forge.commentsSince(number, undefined)
    expect(await hosted.gitCredential()).toEqual({ username: 'x-access-token', password: 'ghs_2' })
    expect(world.fake.issued).toEqual([
      {
        repositories: ['docs'],
        permissions: { contents: 'write', pull_requests: 'write', metadata: 'read', statuses: 'write' },
      },
      { repositories: ['docs'], permissions: { contents: 'write', metadata: 'read' } },
    ])
    expect(await hosted.checkAccess()).toMatchObject({ login: 'docwright[bot]', missing: [] })
    expect(await hosted.ensureWebhook('https://docwright.example/hooks/1', 'x')).toBe(false)
  })

  it('makes a new token ten minutes before the old one ends, and when the old one was revoked', async () => {
    await using world = await createGitHubWorld()
    installApp(world)
    world.fake.settings.lasting = 9 * 60_000
    const hosted = world.open(app)
    const passwords = [await hosted.gitCredential(), await hosted.gitCredential()].map(
      ({ password }) => password,
    )
    expect(passwords).toEqual(['ghs_1', 'ghs_2'])
    world.fake.settings.lasting = 3_600_000
    await hosted.forge.listOpen()
    world.fake.tokens.delete('ghs_3')
    expect(await hosted.forge.listOpen()).toEqual([])
    expect(world.fake.issued).toHaveLength(4)
  })

  it.each([3_600_000, -3_600_000])('gets along with a clock that is %i ms off', async (ahead) => {
    await using world = await createGitHubWorld()
    installApp(world)
    world.fake.settings.ahead = ahead
    const hosted = world.open(app)
    await hosted.forge.listOpen()
    await hosted.forge.listOpen()
    expect(world.fake.issued).toHaveLength(1)
  })

  it('says what is missing', async () => {
    await using world = await createGitHubWorld()
    installApp(world, { pull_requests: 'read' })
    expect(
      (await world
        .open(app)
        .checkAccess()
        .catch((error: unknown) => error)) as Error,
    ).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('"Pull requests: write"'),
    })
    installApp(world)
    world.fake.settings.installed = false
    await expect(world.open(app).checkAccess()).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('install it'),
    })
    const broken = world.open({ ...app, privateKey: 'secret nonsense' }).checkAccess()
    await expect(broken).rejects.toMatchObject({
      code: 'invalid',
      message: expect.not.stringContaining('nonsense'),
    })
  })
})
