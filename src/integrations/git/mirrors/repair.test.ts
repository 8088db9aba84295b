import { readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { evictMirror, lastUse, noteUse } from './evict-mirror.ts'
import { fetchMirror } from './fetch-mirror.ts'
import type { Repository } from '../git.ts'
import { listTree } from '../trees/list-tree.ts'
import { openMirror } from './open-mirror.ts'
import { remoteFromFolder, remoteFromUrl, type Remote } from '../remote.ts'
import { resolveReference } from '../resolve-reference.ts'
import { plainGit, temporaryFolder, temporaryGit } from '../../../../tests/worlds/git/temporary-git.ts'
import { updateReference } from '../update-reference.ts'

async function world(): Promise<{ source: string; remote: Remote; mirror: Repository; head: string }> {
  const source = await temporaryFolder()
  plainGit(source, ['init', '-q', '-b', 'main'])
  await writeFile(join(source, 'a.md'), 'a\n')
  plainGit(source, ['add', '.'])
  plainGit(source, ['commit', '-q', '-m', 'one'])
  const { git, folder } = await temporaryGit()
  const mirror = await openMirror(git, join(folder, 'data', 'mirrors', 'one.git'))
  const remote = await remoteFromFolder(source)
  await fetchMirror(mirror, remote)
  return { source, remote, mirror, head: plainGit(source, ['rev-parse', 'main']) }
}

async function packs({ folder }: Repository): Promise<string[]> {
  const names = await readdir(join(folder, 'objects', 'pack'))
  return names.map((name) => join(folder, 'objects', 'pack', name))
}

test.each([
  ['a pack that was cut off', (paths: string[]) => paths.filter((path) => path.endsWith('.pack')), truncate],
  ['packs that are gone', (paths: string[]) => paths, (path: string) => rm(path, { force: true })],
])('makes a mirror anew after %s', async (_case, pick, damage) => {
  const { source, remote, mirror, head } = await world()
  for (const path of pick(await packs(mirror))) await damage(path)
  await listTree(mirror, head).catch(() => undefined)
  await writeFile(join(source, 'b.md'), 'b\n')
  plainGit(source, ['add', '.'])
  plainGit(source, ['commit', '-q', '-m', 'two'])
  await fetchMirror(mirror, remote, { head: 'main' })
  const files = await listTree(mirror, plainGit(source, ['rev-parse', 'main']))
  expect(files.map(({ path }) => path)).toEqual(['a.md', 'b.md'])
  expect(plainGit(mirror.folder, ['fsck', '--full'])).not.toMatch(/missing|corrupt/)
  expect((await readdir(join(mirror.folder, '..'))).filter((name) => name !== 'one.git')).toEqual([])
})

test('makes a mirror anew when only its folder is left', async () => {
  const { remote, mirror, head } = await world()
  await rm(join(mirror.folder, 'HEAD'))
  const again = await openMirror(mirror.git, mirror.folder)
  await fetchMirror(again, remote)
  expect(await resolveReference(again, 'refs/heads/main')).toBe(head)
})

test('keeps a broken mirror while its host is away', async () => {
  const { mirror, head } = await world()
  for (const path of await packs(mirror)) if (path.endsWith('.pack')) await truncate(path)
  await listTree(mirror, head).catch(() => undefined)
  const gone = remoteFromUrl('http://127.0.0.1:9/docs.git')
  await expect(fetchMirror(mirror, gone)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await readdir(mirror.folder)).toContain('HEAD')
})

test('refuses a repository that is over the quota of a mirror, and says how to raise it', async () => {
  const { source, remote, mirror } = await world()
  const noise = Array.from({ length: 200_000 }, () => Math.random().toString(36)).join('')
  await writeFile(join(source, 'big.md'), noise)
  plainGit(source, ['add', '.'])
  plainGit(source, ['commit', '-q', '-m', 'big'])
  const small = { ...mirror, git: { ...mirror.git, mirrorBytes: 1024 } }
  await expect(fetchMirror(small, remote)).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('DOCWRIGHT_MIRROR_MAX_MB') as string,
  })
})

test('evicts a mirror that can be fetched again, and no other', async () => {
  const { remote, mirror, head } = await world()
  await noteUse(mirror)
  await utimes(join(mirror.folder, 'docwright-used'), new Date(0), new Date(0))
  await noteUse(mirror)
  expect((await lastUse(mirror))?.getTime()).toBeGreaterThan(0)
  // Somebody needed it since it was found unused.
  expect(await evictMirror(mirror, new Date(0))).toBe(false)
  await updateReference(mirror, { reference: 'refs/docwright/pulls/1', commit: head })
  expect(await evictMirror(mirror)).toBe(false)
  await updateReference(mirror, { reference: 'refs/docwright/pulls/1', commit: undefined })
  expect(await Promise.all([evictMirror(mirror), evictMirror(mirror)])).toEqual([true, false])
  const again = await openMirror(mirror.git, mirror.folder)
  expect(await resolveReference(again, 'refs/heads/main')).toBeUndefined()
  await fetchMirror(again, remote)
  expect(await resolveReference(again, 'refs/heads/main')).toBe(head)
})
