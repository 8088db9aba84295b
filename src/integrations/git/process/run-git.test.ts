import { access, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepository } from '../mirrors/create-repository.ts'
import { fetchMirror } from '../mirrors/fetch-mirror.ts'
import { openMirror } from '../mirrors/open-mirror.ts'
import { pushBranch } from '../remotes/push-branch.ts'
import { remoteFromFolder } from '../remote.ts'
import { resolveReference } from '../resolve-reference.ts'
import { someone, temporaryGit } from '../../../../tests/worlds/git/temporary-git.ts'

async function leave(path: string): Promise<void> {
  await writeFile(path, '')
  await utimes(path, new Date(0), new Date(0))
}

async function seeded(place: 'data' | 'elsewhere') {
  const { git, folder } = await temporaryGit()
  const seed = { branch: 'main', files: [], message: 'm', author: someone, date: new Date(0) }
  const { repository } = await createRepository(git, join(folder, place, 'repo.git'), seed)
  const remote = await remoteFromFolder(repository.folder)
  const mirror = await openMirror(git, join(folder, 'data', 'mirror.git'))
  return { repository, remote, mirror }
}

test('a lock that a killed git left in the mirror does not stop fetches for ever', async () => {
  const { remote, mirror } = await seeded('data')
  await leave(join(mirror.folder, 'refs', 'heads', 'main.lock'))
  await leave(join(mirror.folder, 'HEAD.lock'))
  await fetchMirror(mirror, remote, { head: 'main' })
  await fetchMirror(mirror, remote, { head: 'other' })
  expect(await resolveReference(mirror, 'refs/heads/main')).toBeDefined()
})

test('nor pushes to a repository of ours', async () => {
  const { repository, remote, mirror } = await seeded('data')
  await fetchMirror(mirror, remote)
  const commit = (await resolveReference(mirror, 'refs/heads/main')) ?? ''
  await leave(join(repository.folder, 'refs', 'heads', 'job.lock'))
  expect(await pushBranch(mirror, remote, { branch: 'job', commit, expected: undefined })).toEqual({
    state: 'pushed',
  })
})

test('a lock in a person’s own repository is left alone, and the push is refused', async () => {
  const { repository, remote, mirror } = await seeded('elsewhere')
  await fetchMirror(mirror, remote)
  const commit = (await resolveReference(mirror, 'refs/heads/main')) ?? ''
  const lock = join(repository.folder, 'refs', 'heads', 'job.lock')
  await leave(lock)
  const result = await pushBranch(mirror, remote, { branch: 'job', commit, expected: undefined })
  expect(result).toMatchObject({
    state: 'refused',
    message: expect.stringContaining('job.lock blocks it'),
  })
  await access(lock)
})
