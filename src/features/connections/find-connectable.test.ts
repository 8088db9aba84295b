import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFakeOrigin } from '../../../tests/worlds/hosts/fake-origin.ts'
import { startFakeGitHub } from '../../../tests/worlds/hosts/github/github-server.ts'
import type { FakeGitHub } from '../../../tests/worlds/hosts/github/github-state.ts'
import { createBitbucket } from '../../integrations/forges/bitbucket/bitbucket.ts'
import { createGitea } from '../../integrations/forges/gitea/gitea.ts'
import { createGitHub } from '../../integrations/forges/github/github.ts'
import { createGitLab } from '../../integrations/forges/gitlab/gitlab.ts'
import type { Hosts } from '../../integrations/forges/hosts.ts'
import { findConnectable } from './find-connectable.ts'

const own = 'https://git.example.com'

/** Hosts of which only one answers: a GitLab below a path. */
function hosts(): Hosts {
  return {
    all: [createGitHub(), createGitLab(), createGitea(), createBitbucket()],
    ports: {
      async fetch(input) {
        const url = new Request(input).url
        if (!/^https:\/\/(?:git\.example\.com|\[::1\]:8443)\/lab\/api\/v4\/version/.test(url))
          return new Response('<html>', { status: 404 })
        return Response.json({ message: '401 Unauthorized' }, { status: 401 })
      },
      now: () => new Date('2026-05-01'),
      delay: async () => undefined,
    },
    sites: [{ kind: 'gitea', site: 'https://tea.example.com:3000' }],
    credentials: [],
  }
}

it.each([
  ['https://github.com/acme/docs', 'github', 'acme/docs', 'https://github.com/acme/docs'],
  ['https://github.com/acme/docs.git/', 'github', 'acme/docs', 'https://github.com/acme/docs.git'],
  ['HTTPS://GitHub.com:443/Acme/Docs', 'github', 'Acme/Docs', 'https://github.com/Acme/Docs'],
  [
    'https://ann@bitbucket.org/team/docs.git',
    'bitbucket',
    'team/docs',
    'https://bitbucket.org/team/docs.git',
  ],
  ['https://tea.example.com:3000/a/b.git', 'gitea', 'a/b', 'https://tea.example.com:3000/a/b.git'],
  [`${own}/lab/g/p.git`, 'gitlab', 'g/p', `${own}/lab/g/p.git`],
  ['https://[::1]:8443/lab/g/p', 'gitlab', 'g/p', 'https://[::1]:8443/lab/g/p'],
  [`${own}/any/path/at/all`, 'git', 'any/path/at/all', `${own}/any/path/at/all`],
])('understands %s', async (location, kind, path, url) => {
  const found = await findConnectable(hosts(), location, {})
  expect(found).toMatchObject({ repository: { kind, path }, remote: { url } })
  expect(found.notes.join()).not.toContain('The repository URL')
})

it.each([
  ['git@github.com:acme/docs.git', 'https://github.com/acme/docs.git'],
  ['ssh://git@github.com/acme/docs.git', 'https://github.com/acme/docs.git'],
  ['ssh://git@ssh.github.com:443/acme/docs.git', 'https://github.com/acme/docs.git'],
  ['git+ssh://git@gitlab.com/a/b/c.git', 'https://gitlab.com/a/b/c.git'],
  ['https://github.com/acme/docs/tree/main/docs', 'https://github.com/acme/docs.git'],
  ['https://github.com/acme/docs/pull/7/files', 'https://github.com/acme/docs.git'],
  ['https://github.com/acme/docs?tab=readme#top', 'https://github.com/acme/docs'],
  ['https://gitlab.com/g/sub/p/-/tree/main', 'https://gitlab.com/g/sub/p.git'],
  ['https://gitlab.com/g/sub/p/-/', 'https://gitlab.com/g/sub/p.git'],
  ['https://codeberg.org/a/b/src/branch/main', 'https://codeberg.org/a/b.git'],
])('understands %s, and tells what it makes of it', async (location, url) => {
  const found = await findConnectable(hosts(), location, {})
  expect(found.remote).toMatchObject({ url })
  expect(found.notes[0]).toBe(`The repository URL is ${url}. The project uses it`)
})

it.each([
  ['ssh://git@git.example.com:2222/acme/docs.git', 'for example https://git.example.com/acme/docs.git'],
  ['http://github.com/acme/docs', 'Enter the https:// URL'],
  ['git://github.com/acme/docs', 'Enter the https:// URL'],
  ['https://ann:secret@github.com/acme/docs', 'leave it out of the URL'],
  ['https://github.com/acme', 'It must end in owner/name'],
  ['https://github.com/acme/docs/unknown/page', 'Try https://github.com/acme/docs'],
])('refuses %s with what to give instead', async (location, message) => {
  const refused = findConnectable(hosts(), location, {})
  await expect(refused).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining(message) })
  await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('secret') })
})

let github: FakeGitHub
beforeAll(async () => {
  github = await startFakeGitHub({ ...(await createFakeOrigin()), forget: () => undefined })
})
afterAll(() => github.server[Symbol.asyncDispose]())

it('uses the name that the host gives, and reports a new one', async () => {
  const ports = { fetch, now: () => new Date('2026-05-01'), delay: async () => undefined }
  const credential = { kind: 'token', token: 'ghp_all' } as const
  const find = () =>
    findConnectable({ ...hosts(), ports }, `${github.server.origin}/acme/docs.git`, {
      host: 'github',
      credential,
    })
  expect(await find()).toMatchObject({ notes: [] })
  github.settings.expires = '2026-05-13 10:00:00 UTC'
  expect((await find()).notes).toEqual([expect.stringContaining('expires on 2026-05-13')])
  github.settings.expires = '2026-06-13 10:00:00 UTC'
  github.settings.name = 'acme/handbook'
  const found = await find()
  const address = `${github.server.origin}/acme/handbook.git`
  expect(found).toMatchObject({ repository: { path: 'acme/handbook' }, remote: { url: address } })
  expect(found.notes).toEqual([`The repository is called acme/handbook now: the project uses ${address}`])
})

it('asks no other site than that of the repository, whatever the fork is said to be', async () => {
  const asked: string[] = []
  const spying = hosts()
  const fetch: typeof globalThis.fetch = async (input) => {
    asked.push(new Request(input).url)
    return new Response('<html>', { status: 404 })
  }
  const connecting = findConnectable(
    { ...spying, ports: { ...spying.ports, fetch } },
    'https://github.com/acme/docs',
    {
      fork: 'https://127.0.0.1:8443/a/b/c',
    },
  )
  await expect(connecting).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('on https://github.com'),
  })
  expect(asked).toEqual([])
})
