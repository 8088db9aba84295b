import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serveGit, type GitTrouble } from '../../../../tests/worlds/hosts/git-backend.ts'
import { plainGit, temporaryFolder, temporaryGit } from '../../../../tests/worlds/git/temporary-git.ts'
import { remoteFromUrl } from '../remote.ts'
import { checkRemote } from '../remotes/check-remote.ts'
import { RemoteUnreachable } from '../remotes/explain-remote-failure.ts'
import { pushBranch } from '../remotes/push-branch.ts'
import { resolveReference } from '../resolve-reference.ts'
import { fetchMirror } from './fetch-mirror.ts'
import { openMirror } from './open-mirror.ts'

const headers = { 'content-type': 'text/html' }
const page = { status: 200, headers, body: '<!doctype html>\n<h1>Back soon' }
const nothing = { status: 200, headers, body: '' }

/** A mirror of a repository behind http, which was fetched once. */
async function mirrored() {
  const { git, folder } = await temporaryGit()
  const origin = join(await temporaryFolder(), 'origin')
  plainGit(folder, ['init', '-q', '--bare', '-b', 'main', origin])
  const tree = plainGit(origin, ['mktree'], '')
  const commit = plainGit(origin, ['commit-tree', tree, '-m', 'one'])
  plainGit(origin, ['update-ref', 'refs/heads/main', commit])
  const empty = join(await temporaryFolder(), 'empty')
  plainGit(folder, ['init', '-q', '--bare', '-b', 'main', empty])
  const troubles: GitTrouble[] = []
  const state = { served: origin }
  const server = createServer(serveGit({ find: () => state.served, allows: () => true, troubles }))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const remote = remoteFromUrl(`http://127.0.0.1:${port}/acme/docs.git`)
  const mirror = await openMirror(git, join(folder, 'mirror.git'))
  await fetchMirror(mirror, remote, { head: 'main' })
  return {
    git,
    mirror,
    remote,
    origin,
    empty,
    commit,
    state,
    troubles,
    head: () => resolveReference(mirror, 'refs/heads/main'),
    [Symbol.asyncDispose]: () => new Promise<void>((done) => void server.close(() => done())),
  }
}

test('a mirror is never pruned by a remote that shows no reference', async () => {
  await using world = await mirrored()
  const { mirror, remote, state, empty, origin, commit } = world
  state.served = empty
  const failure = await fetchMirror(mirror, remote).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(RemoteUnreachable)
  expect(failure).toMatchObject({
    passing: true,
    message: expect.stringContaining('no branch at all') as string,
  })
  expect(await world.head()).toBe(commit)
  state.served = origin
  world.troubles.push({ matches: ({ method }) => method === 'GET', happens: 'before', as: nothing })
  await fetchMirror(mirror, remote)
  expect(await world.head()).toBe(commit)
  plainGit(origin, ['update-ref', 'refs/heads/other', commit])
  plainGit(origin, ['update-ref', '-d', 'refs/heads/main'])
  // HEAD names a branch that is gone, which is no outage.
  await fetchMirror(mirror, remote)
  expect(await world.head()).toBeUndefined()
  expect(await resolveReference(mirror, 'refs/heads/other')).toBe(commit)
})

test('a page in place of git is an outage where git has answered before, and a wrong address where it has not', async () => {
  await using world = await mirrored()
  const { git, mirror, remote, troubles, commit } = world
  const isFirst = ({ url }: { url: string }) => url.includes('info/refs')
  const isSecond = ({ method }: { method: string }) => method === 'POST'
  // Something to fetch, so that git asks twice.
  const newer = plainGit(world.origin, ['commit-tree', `${commit}^{tree}`, '-p', commit, '-m', 'two'])
  plainGit(world.origin, ['update-ref', 'refs/heads/main', newer])
  for (const matches of [isFirst, isSecond]) {
    troubles.push({ matches, happens: 'before', as: page })
    await expect(fetchMirror(mirror, remote)).rejects.toMatchObject({ code: 'unavailable', passing: true })
    expect(await world.head()).toBe(commit)
    troubles.push({ matches, happens: 'before', as: page })
    const pushed = pushBranch(mirror, remote, { branch: 'docwright/1', commit, expected: undefined })
    await expect(pushed).rejects.toMatchObject({ code: 'unavailable' })
  }
  troubles.push({ matches: isFirst, happens: 'before', as: page })
  await expect(checkRemote(git, remote)).rejects.toMatchObject({ code: 'invalid' })
})
