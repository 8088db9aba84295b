import { expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { recogniseRepository, serverCredential, type Hosts } from '../../integrations/forges/hosts.ts'
import { createHosts } from './hosts.ts'

function hosts(environment: Record<string, string> = {}): Hosts {
  const offline = async (): Promise<Response> => Promise.reject(new Error('nothing is to be asked here'))
  return { ...createHosts(readConfig(environment).gitHosts), ports: { ...hostPorts, fetch: offline } }
}

const hostPorts = { now: () => new Date(), delay: async () => undefined }

it.each([
  ['https://github.com/acme/docs.git', 'github', 'https://github.com', 'acme/docs'],
  ['https://gitlab.com/acme/team/docs/', 'gitlab', 'https://gitlab.com', 'acme/team/docs'],
  ['https://codeberg.org/acme/docs', 'gitea', 'https://codeberg.org', 'acme/docs'],
  ['https://bitbucket.org/acme/docs.git', 'bitbucket', 'https://bitbucket.org', 'acme/docs'],
  ['https://example.com/lab/acme/docs.git', 'gitlab', 'https://example.com/lab', 'acme/docs'],
  ['https://github.com.evil.example/acme/docs', 'git', 'https://github.com.evil.example', 'acme/docs'],
])('recognises %s', async (url, kind, site, path) => {
  const known = hosts({ GITLAB_URL: 'https://EXAMPLE.com/lab/' })
  expect(await recogniseRepository(known, url)).toEqual({ kind, site, path })
})

it('gives a token of the environment to its site alone', async () => {
  const one = hosts({ GITHUB_TOKEN: 'one', GITLAB_TOKEN: 'two', GITLAB_URL: 'https://lab.example.com' })
  const tokenFor = async (url: string) => serverCredential(one, await recogniseRepository(one, url))
  expect(await tokenFor('https://github.com/acme/docs')).toMatchObject({ token: 'one' })
  expect(await tokenFor('https://lab.example.com/acme/docs')).toMatchObject({ token: 'two' })
  expect(await tokenFor('https://gitlab.com/acme/docs')).toBeUndefined()
  expect(await tokenFor('https://github.com.evil.example/acme/docs')).toBeUndefined()
  const named = await recogniseRepository(one, 'https://evil.example/acme/docs', 'github')
  expect(serverCredential(one, named)).toBeUndefined()
})

it('refuses what cannot be a repository of its host', async () => {
  await expect(recogniseRepository(hosts(), 'https://github.com/acme')).rejects.toMatchObject({
    code: 'invalid',
  })
})
