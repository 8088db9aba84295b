import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCheckAddress } from '../../../lib/check-address.ts'
import { startGitServer } from '../../../../tests/worlds/git/git-server.ts'
import { plainGit, temporaryGit } from '../../../../tests/worlds/git/temporary-git.ts'
import { fetchMirror } from '../mirrors/fetch-mirror.ts'
import { openMirror } from '../mirrors/open-mirror.ts'
import { checkAddressesBy } from '../process/start-git.ts'
import { remoteFromUrl } from '../remote.ts'
import { resolveReference } from '../resolve-reference.ts'
import { checkRemote } from './check-remote.ts'
import { pushBranch } from './push-branch.ts'

async function world() {
  const { git, folder } = await temporaryGit()
  const origin = join(folder, 'docs.git')
  plainGit('/', ['init', '-q', '--bare', '-b', 'main', origin])
  const tree = plainGit(origin, ['mktree'])
  plainGit(origin, ['update-ref', 'refs/heads/main', plainGit(origin, ['commit-tree', tree, '-m', 'Start'])])
  const server = await startGitServer(origin)
  // Nobody knows this name: git only gets there by an address that it is given.
  const remote = remoteFromUrl(`http://git.invalid:${server.port}/docs.git`, { allowHttp: true })
  return { folder, server, remote, git }
}

test('git connects to the checked addresses, each time anew', async () => {
  const { folder, remote, git } = await world()
  let asked = 0
  checkAddressesBy(git, async () => {
    asked++
    return ['127.0.0.1', '::1']
  })
  expect(await checkRemote(git, remote)).toMatchObject({ branch: 'main' })
  expect(asked).toBe(1)
  const mirror = await openMirror(git, join(folder, 'data', 'mirror.git'))
  await fetchMirror(mirror, remote)
  const fetched = asked
  expect(fetched).toBeGreaterThan(1)
  const commit = (await resolveReference(mirror, 'refs/heads/main')) ?? ''
  expect(await pushBranch(mirror, remote, { branch: 'job', commit, expected: undefined })).toEqual({
    state: 'pushed',
  })
  expect(asked).toBe(fetched + 1)
})

test('a name that leads to this machine by the time of the connection is refused', async () => {
  const { folder, server, remote, git } = await world()
  checkAddressesBy(git, async () => ['127.0.0.1'])
  const mirror = await openMirror(git, join(folder, 'data', 'mirror.git'))
  await fetchMirror(mirror, remote)
  const commit = (await resolveReference(mirror, 'refs/heads/main')) ?? ''
  const sent = server.sent()
  let answers = [['93.184.216.34']]
  const checkAddress = createCheckAddress({
    isNamed: async () => false,
    resolveName: async () => answers.shift() ?? ['127.0.0.1'],
    environment: {},
  })
  checkAddressesBy(git, checkAddress)
  const works = [
    () => checkRemote(git, remote),
    () => fetchMirror(mirror, remote),
    () => pushBranch(mirror, remote, { branch: 'job', commit, expected: undefined }),
  ]
  for (const work of works) {
    answers = [['93.184.216.34']]
    expect(await checkAddress(new URL('http://git.invalid/'))).toEqual(['93.184.216.34'])
    await expect(work()).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining("git.invalid is in the server's own network") as string,
    })
  }
  expect(server.sent()).toBe(sent)
})

test('a name that nobody knows can be tried again later', async () => {
  const { remote, git } = await world()
  const unknown = Object.assign(new Error('getaddrinfo EAI_AGAIN'), { syscall: 'getaddrinfo' })
  checkAddressesBy(git, () => Promise.reject(unknown))
  await expect(checkRemote(git, remote)).rejects.toMatchObject({
    code: 'unavailable',
    passing: true,
    message: expect.stringContaining('its host name is unknown') as string,
  })
})
