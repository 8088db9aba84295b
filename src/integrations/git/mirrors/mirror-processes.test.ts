import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startGitServer } from '../../../../tests/worlds/git/git-server.ts'
import { plainGit, temporaryFolder, temporaryGit } from '../../../../tests/worlds/git/temporary-git.ts'

const processes = 3
const rounds = 5

// What workers do with a mirror, over and over; then they drop it below each other's fetches.
const script = `
  const [, , dataFolder, url, name] = process.argv
  const from = (path) => import(new URL(path, ${JSON.stringify(import.meta.url)}))
  const { createGit } = await from('../git.ts')
  const { openMirror } = await from('open-mirror.ts')
  const { fetchMirror } = await from('fetch-mirror.ts')
  const { evictMirror } = await from('evict-mirror.ts')
  const { maintainRepository } = await from('maintain-repository.ts')
  const { pushBranch } = await from('../remotes/push-branch.ts')
  const { remoteFromUrl } = await from('../remote.ts')
  const { resolveReference } = await from('../resolve-reference.ts')
  const { writeCommit } = await from('create-repository.ts')
  const git = await createGit({ dataFolder, environment: process.env })
  const remote = remoteFromUrl(url)
  const author = { name, email: 'a@example.com' }
  for (let n = 1; n <= ${rounds}; n++) {
    const mirror = await openMirror(git, dataFolder + '/mirrors/docs.git')
    await fetchMirror(mirror, remote, { head: 'main' })
    const parent = await resolveReference(mirror, 'refs/heads/main')
    const changes = [{ path: name + n + '.md', content: Buffer.from(name) }]
    const input = { parents: [parent], changes, message: 'm', author, date: new Date(0) }
    const { commit } = await writeCommit(mirror, input)
    const result = await pushBranch(mirror, remote, { branch: name + n, commit, expected: undefined })
    if (result.state !== 'pushed') throw new Error(JSON.stringify(result))
    await maintainRepository(mirror)
  }
  process.send('worked')
  await new Promise((resolve) => process.once('message', resolve))
  for (let n = 1; n <= ${rounds}; n++) {
    const mirror = await openMirror(git, dataFolder + '/mirrors/docs.git')
    // One that is busy for long stays.
    await evictMirror(mirror).catch((error) => {
      if (error.code !== 'unavailable') throw error
    })
    await fetchMirror(await openMirror(git, mirror.folder), remote, { head: 'main' })
  }
  process.disconnect()
`

test('several processes fill, fetch, write, push, tidy up and drop one mirror at once', async () => {
  const { folder } = await temporaryGit()
  const origin = join(await temporaryFolder(), 'docs.git')
  plainGit('/', ['init', '-q', '--bare', '-b', 'main', origin])
  const tree = plainGit(origin, ['mktree'], '')
  plainGit(origin, ['update-ref', 'refs/heads/main', plainGit(origin, ['commit-tree', tree, '-m', 'Start'])])
  const server = await startGitServer(origin)
  const path = join(folder, 'worker.mjs')
  await writeFile(path, script)
  const data = join(folder, 'data')
  const names = Array.from({ length: processes }, (_, index) => `worker-${index}-`)
  const workers = names.map((name) => {
    const child = fork(path, [data, server.url, name], { stdio: 'inherit' })
    onTestFinished(() => void child.kill('SIGKILL'))
    return { child, worked: once(child, 'message'), ended: once(child, 'exit') }
  })
  await Promise.all(workers.map(({ worked, ended }) => Promise.race([worked, ended])))
  for (const { child } of workers) child.send('go on')
  const codes = await Promise.all(workers.map(({ ended }) => ended))
  expect(codes.map(([code]: number[]) => code)).toEqual(names.map(() => 0))
  const branches = plainGit(origin, ['for-each-ref', '--format=%(refname:short)', 'refs/heads/worker-*'])
  expect(branches.split('\n')).toHaveLength(processes * rounds)
  const mirrors = join(data, 'mirrors')
  expect(await readdir(mirrors)).toEqual(['docs.git'])
  const mirror = join(mirrors, 'docs.git')
  expect(plainGit(mirror, ['for-each-ref'])).toBe(plainGit(origin, ['for-each-ref']))
  expect(plainGit(mirror, ['fsck', '--full'])).toBe('')
})
