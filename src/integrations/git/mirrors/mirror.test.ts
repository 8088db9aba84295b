import { access, chmod, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkRemote, readDefaultBranch } from '../remotes/check-remote.ts'
import { fetchMirror } from './fetch-mirror.ts'
import { type GitProgress, progressReader } from '../remotes/git-progress.ts'
import { writeCommit } from './create-repository.ts'
import { listTree } from '../trees/list-tree.ts'
import { maintainRepository } from './maintain-repository.ts'
import { openMirror } from './open-mirror.ts'
import { remoteFromFolder, remoteFromUrl } from '../remote.ts'
import { resolveReference } from '../resolve-reference.ts'
import { plainGit, temporaryFolder, temporaryGit } from '../../../../tests/worlds/git/temporary-git.ts'
import { updateReference } from '../update-reference.ts'

async function checkout(): Promise<string> {
  const folder = join(await temporaryFolder(), 'checkout')
  await mkdir(folder)
  plainGit(folder, ['init', '-q', '-b', 'main'])
  await writeFile(join(folder, 'a.md'), 'a\n')
  plainGit(folder, ['add', '.'])
  plainGit(folder, ['commit', '-q', '-m', 'one'])
  return folder
}

test('a mirror follows branches and tags of a checkout, and keeps our own references', async () => {
  const { git, folder } = await temporaryGit()
  const source = await checkout()
  plainGit(source, ['branch', 'topic'])
  plainGit(source, ['tag', 'v1'])
  const remote = await remoteFromFolder(source)
  const mirror = await openMirror(git, join(folder, 'data', 'mirrors', 'one.git'))
  const seen: GitProgress[] = []
  await fetchMirror(mirror, remote, { head: 'main', onProgress: (progress) => seen.push(progress) })
  const first = plainGit(source, ['rev-parse', 'main'])
  expect(await resolveReference(mirror, 'refs/heads/main')).toBe(first)
  expect(await resolveReference(mirror, 'refs/tags/v1')).toBe(first)
  expect(seen.some((progress) => progress.total !== undefined && progress.done <= progress.total)).toBe(true)

  await updateReference(mirror, { reference: 'refs/docwright/jobs/1', commit: first })
  plainGit(source, ['branch', '-D', 'topic'])
  plainGit(source, ['branch', 'topic/nested'])
  plainGit(source, ['commit', '-q', '--amend', '-m', 'rewritten'])
  await fetchMirror(mirror, remote, { head: 'main' })
  expect(await resolveReference(mirror, 'refs/heads/main')).toBe(plainGit(source, ['rev-parse', 'main']))
  expect(await resolveReference(mirror, 'refs/heads/topic')).toBeUndefined()
  expect(await resolveReference(mirror, 'refs/heads/topic/nested')).toBe(first)
  expect(await resolveReference(mirror, 'refs/docwright/jobs/1')).toBe(first)
})

test('a mirror is opened many times at once and made once', async () => {
  const { git, folder } = await temporaryGit()
  const path = join(folder, 'data', 'mirrors', 'one.git')
  const opened = await Promise.all([1, 2, 3].map(() => openMirror(git, path)))
  expect(new Set(opened.map((mirror) => mirror.folder))).toEqual(new Set([path]))
  expect(plainGit(path, ['rev-parse', '--is-bare-repository'])).toBe('true')
})

test('a reference of ours moves only from where it is expected', async () => {
  const { git, folder } = await temporaryGit()
  const source = await checkout()
  const mirror = await openMirror(git, join(folder, 'one.git'))
  await fetchMirror(mirror, await remoteFromFolder(source))
  const commit = plainGit(source, ['rev-parse', 'main'])
  const reference = 'refs/docwright/jobs/1'
  await updateReference(mirror, { reference, commit, expected: '' })
  await expect(updateReference(mirror, { reference, commit, expected: '' })).rejects.toMatchObject({
    code: 'conflict',
  })
  await expect(
    updateReference(mirror, { reference, commit: undefined, expected: '1'.repeat(40) }),
  ).rejects.toMatchObject({ code: 'conflict' })
  await updateReference(mirror, { reference, commit: undefined, expected: commit })
  expect(await resolveReference(mirror, reference)).toBeUndefined()
  await expect(updateReference(mirror, { reference: 'refs/heads/main', commit })).rejects.toThrow(
    'ours to move',
  )
})

test('a remote is asked for its branch before anything is fetched', async () => {
  const { git, folder } = await temporaryGit()
  const source = await checkout()
  const remote = await remoteFromFolder(source)
  const commit = plainGit(source, ['rev-parse', 'main'])
  expect(await checkRemote(git, remote)).toEqual({ branch: 'main', commit, defaultBranch: 'main' })
  await expect(checkRemote(git, remote, { branch: 'nope' })).rejects.toThrow('has no branch "nope"')
  await expect(checkRemote(git, remote, { branch: '--upload-pack=x' })).rejects.toMatchObject({
    code: 'invalid',
  })

  const plain = join(folder, 'plain')
  await mkdir(plain)
  await expect(checkRemote(git, await remoteFromFolder(plain))).rejects.toThrow('is not a git repository')
  plainGit(plain, ['init', '-q'])
  await expect(checkRemote(git, await remoteFromFolder(plain))).rejects.toThrow('is empty')
  await expect(checkRemote(git, remoteFromUrl('http://127.0.0.1:9/a.git'))).rejects.toMatchObject({
    code: 'unavailable',
  })
  await expect(remoteFromFolder(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'not_found' })
})

test.each([
  ['an extension that no git knows', '1', '[extensions]\n\tmadeup = true\n', 'uses extensions.madeup, which'],
  ['a version that no git knows', '7', '', 'has a newer version of git’s format'],
])('a repository with %s is refused with what to do', async (_, version, more, message) => {
  const { git } = await temporaryGit()
  const source = await checkout()
  const config = join(source, '.git', 'config')
  const text = (await readFile(config, 'utf8')).replace(/(repositoryformatversion =) \d/, `$1 ${version}`)
  await writeFile(config, `${text}${more}`)
  const refused = checkRemote(git, await remoteFromFolder(source))
  await expect(refused).rejects.toMatchObject({ code: 'invalid' })
  await expect(refused).rejects.toThrow(message)
  await expect(refused).rejects.toThrow('update git on the server')
})

test('a repository with SHA-256 names is mirrored, also in the place of one with others', async () => {
  const { git, folder } = await temporaryGit()
  const first = await checkout()
  const second = join(folder, 'second')
  plainGit(folder, ['init', '-q', '-b', 'main', '--object-format=sha256', second])
  await writeFile(join(second, 'page.md'), '# Page')
  plainGit(second, ['add', '.'])
  plainGit(second, ['commit', '-q', '-m', 'One'])
  const mirror = await openMirror(git, join(folder, 'one.git'))
  for (const [source, length] of [
    [second, 64],
    [first, 40],
    [second, 64],
  ] as const) {
    const { commit } = await checkRemote(git, await remoteFromFolder(source))
    await fetchMirror(mirror, await remoteFromFolder(source))
    expect(await resolveReference(mirror, 'refs/heads/main')).toBe(commit)
    expect(commit).toHaveLength(length)
  }
  const { commit } = await writeCommit(mirror, {
    parents: [plainGit(second, ['rev-parse', 'main'])],
    changes: [{ path: 'page.md', content: Buffer.from('# Changed') }],
    message: 'Two',
    author: { name: 'A', email: 'a@example.com' },
    date: new Date(0),
  })
  expect(commit).toHaveLength(64)
  expect(await listTree(mirror, commit)).toMatchObject([{ path: 'page.md', mode: '100644' }])
})

test('the default branch is what a bare repository names, and nothing that somebody has checked out', async () => {
  const { git, folder } = await temporaryGit()
  const source = await checkout()
  const bare = join(folder, 'docs.git')
  plainGit(source, ['branch', 'next'])
  plainGit(folder, ['clone', '-q', '--bare', source, bare])
  // Other references may end in the same word.
  plainGit(bare, ['symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/heads/main'])
  plainGit(bare, ['symbolic-ref', 'HEAD', 'refs/heads/next'])
  expect(await readDefaultBranch(git, await remoteFromFolder(bare))).toBe('next')
  plainGit(bare, ['symbolic-ref', 'HEAD', 'refs/heads/not-there-yet'])
  expect(await readDefaultBranch(git, await remoteFromFolder(bare))).toBeUndefined()
  plainGit(source, ['switch', '-q', 'next'])
  expect(await readDefaultBranch(git, await remoteFromFolder(source))).toBeUndefined()
})

test('a registered folder that was replaced by a link is refused', async () => {
  const { git } = await temporaryGit()
  const source = await checkout()
  const remote = await remoteFromFolder(source)
  await rename(source, `${source}-moved`)
  await expect(checkRemote(git, remote)).rejects.toMatchObject({ code: 'not_found' })
  await symlink(`${source}-moved`, source)
  await expect(checkRemote(git, remote)).rejects.toMatchObject({ code: 'forbidden' })
})

test('only plain https addresses are taken', () => {
  const refused = [
    'ext::sh -c touch% x',
    'ssh://git@example.com/a',
    'git@example.com:a/b.git',
    'file:///etc',
    '/etc',
    '../a',
    '--upload-pack=touch x',
    'http://example.com/a.git',
    'https://',
    'https://user@example.com/a',
    'https://user:pw@example.com/a',
    'https://example.com/a?x=1',
    'https://example.com/a b',
    'https://example.com/a\nb',
    'git://example.com/a',
    'fd::3',
    '',
  ]
  for (const address of refused)
    expect(() => remoteFromUrl(address)).toThrow(
      /repository URL|repository address|valid URL|https only|folder on this server/,
    )
  expect(() => remoteFromUrl('https://user:pw-secret@example.com/a')).not.toThrow('pw-secret')
  expect(remoteFromUrl('https://example.com/a.git')).toEqual({
    kind: 'url',
    url: 'https://example.com/a.git',
  })
  expect(remoteFromUrl('http://127.0.0.1:4000/a.git').kind).toBe('url')
  expect(remoteFromUrl('http://gitea.internal/a.git', { allowHttp: true }).kind).toBe('url')
})

test('a fetch runs nothing that the other repository brings', async () => {
  const { git, folder } = await temporaryGit()
  const source = await checkout()
  const mark = join(folder, 'executed')
  const script = join(folder, 'script.sh')
  await writeFile(script, `#!/bin/sh\ntouch ${mark}\nexec "$@"\n`)
  await chmod(script, 0o755)
  for (const hook of [
    'post-checkout',
    'pre-receive',
    'reference-transaction',
    'post-update',
    'pre-auto-gc',
  ]) {
    await symlink(script, join(source, '.git', 'hooks', hook))
  }
  for (const key of [
    'core.fsmonitor',
    'core.sshCommand',
    'uploadpack.packObjectsHook',
    'core.alternateRefsCommand',
  ]) {
    plainGit(source, ['config', key, script])
  }
  const mirror = await openMirror(git, join(folder, 'one.git'))
  await fetchMirror(mirror, await remoteFromFolder(source))
  expect(await resolveReference(mirror, 'refs/heads/main')).toBeDefined()
  await expect(access(mark)).rejects.toThrow('ENOENT')
})

test('a repository over the size limit is given up', async () => {
  const { git, folder } = await temporaryGit()
  const source = await checkout()
  const noise = Buffer.alloc(3_000_000)
  for (let n = 0; n < noise.length; n++) noise[n] = (n * 7919 + (n >> 7) * 104729) % 251
  await writeFile(join(source, 'big.bin'), noise)
  plainGit(source, ['add', '.'])
  plainGit(source, ['-c', 'core.compression=0', 'commit', '-q', '-m', 'big'])
  const mirror = await openMirror(git, join(folder, 'one.git'))
  const remote = await remoteFromFolder(source)
  await expect(fetchMirror(mirror, remote, { maxBytes: 1000 })).rejects.toMatchObject({ code: 'too_large' })
})

test('progress is read from pieces, whatever else is sent', () => {
  const seen: GitProgress[] = []
  const read = progressReader((progress) => seen.push(progress))
  read('remote: Counting objects:  50% (1/2)\rremote: Coun')
  read(
    `ting objects: 100% (2/2), done.\n${'x'.repeat(100_000)}\nReceiving objects:  10% (1/10), 1.50 MiB | 2 MiB/s\r`,
  )
  read('remote: Enumerating objects: 7, done.\n')
  expect(seen).toEqual([
    { phase: 'counting objects', done: 1, total: 2, bytes: undefined },
    { phase: 'counting objects', done: 2, total: 2, bytes: undefined },
    { phase: 'receiving objects', done: 1, total: 10, bytes: 1_572_864 },
    { phase: 'enumerating objects', done: 7, total: undefined, bytes: undefined },
  ])
})

test('maintenance joins many packs and keeps what our references hold', async () => {
  const { git, folder } = await temporaryGit()
  const source = await checkout()
  const mirror = await openMirror(git, join(folder, 'one.git'))
  const remote = await remoteFromFolder(source)
  await fetchMirror(mirror, remote)
  const first = plainGit(source, ['rev-parse', 'main'])
  await updateReference(mirror, { reference: 'refs/docwright/jobs/1', commit: first })
  for (let n = 0; n < 32; n++) {
    plainGit(source, ['commit', '-q', '--allow-empty', '--amend', '-m', `round ${n}`])
    await fetchMirror(mirror, remote)
  }
  await maintainRepository(mirror)
  expect(plainGit(mirror.folder, ['count-objects', '-v'])).toMatch(/^packs: [1-3]$/m)
  expect(await resolveReference(mirror, 'refs/docwright/jobs/1')).toBe(first)
})

test('a shallow clone is mirrored as deep as it is, and deeper once it is deepened', async () => {
  const { git, folder } = await temporaryGit()
  const source = await checkout()
  for (const name of ['two', 'three']) plainGit(source, ['commit', '-q', '--allow-empty', '-m', name])
  const clone = join(await temporaryFolder(), 'clone')
  plainGit('/', ['clone', '-q', '--depth=1', `file://${source}`, clone])
  const remote = await remoteFromFolder(clone)
  const mirror = await openMirror(git, join(folder, 'data', 'mirrors', 'one.git'))
  await fetchMirror(mirror, remote, { head: 'main' })
  expect(plainGit(mirror.folder, ['rev-list', '--count', 'main'])).toBe('1')

  plainGit(clone, ['commit', '-q', '--allow-empty', '-m', 'four'])
  await fetchMirror(mirror, remote)
  expect(plainGit(mirror.folder, ['rev-list', '--count', 'main'])).toBe('2')

  for (const flag of ['--deepen=1', '--unshallow']) {
    plainGit(clone, ['fetch', '-q', flag])
    await fetchMirror(mirror, remote)
  }
  expect(plainGit(mirror.folder, ['rev-list', '--count', 'main'])).toBe('4')
  await fetchMirror(mirror, remote)
})

test('a partial clone is mirrored from what is checked out there, and wholly once it is complete', async () => {
  const { git, folder } = await temporaryGit()
  const source = await checkout()
  await writeFile(join(source, 'a.md'), 'b\n')
  plainGit(source, ['commit', '-q', '-a', '-m', 'two'])
  plainGit(source, ['tag', 'v1', 'HEAD~1'])
  plainGit(source, ['config', 'uploadpack.allowFilter', 'true'])
  const partial = join(await temporaryFolder(), 'partial')
  plainGit('/', ['clone', '-q', '--filter=blob:none', `file://${source}`, partial])
  const mirror = await openMirror(git, join(folder, 'data', 'mirrors', 'one.git'))
  const remote = await remoteFromFolder(partial)
  await fetchMirror(mirror, remote, { head: 'main' })
  expect(plainGit(mirror.folder, ['show', 'main:a.md'])).toBe('b')

  await writeFile(join(partial, 'a.md'), 'c\n')
  plainGit(partial, ['commit', '-q', '-a', '-m', 'three'])
  await fetchMirror(mirror, remote)
  expect(plainGit(mirror.folder, ['show', 'main:a.md'])).toBe('c')
  expect(plainGit(mirror.folder, ['rev-list', '--count', 'main'])).toBe('2')

  plainGit(partial, ['-c', 'maintenance.auto=false', 'fetch', '-q', '--refetch', '--no-filter'])
  await fetchMirror(mirror, remote)
  expect(plainGit(mirror.folder, ['rev-list', '--count', 'main'])).toBe('3')
  expect(plainGit(mirror.folder, ['show', 'v1:a.md'])).toBe('a')
})

test('a partial clone without files and a damaged one are named as such, with what to do', async () => {
  const { git, folder } = await temporaryGit()
  const source = await checkout()
  plainGit(source, ['config', 'uploadpack.allowFilter', 'true'])
  const partial = join(await temporaryFolder(), 'partial')
  plainGit('/', ['clone', '-q', '--filter=blob:none', '--no-checkout', `file://${source}`, partial])
  const mirror = await openMirror(git, join(folder, 'data', 'mirrors', 'one.git'))
  const remote = await remoteFromFolder(partial)
  await expect(fetchMirror(mirror, remote)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('is a partial clone') as string,
  })
  plainGit(partial, ['-c', 'maintenance.auto=false', 'fetch', '-q', '--refetch', '--no-filter'])
  await fetchMirror(mirror, remote)

  const damaged = await checkout()
  const blob = plainGit(damaged, ['rev-parse', 'main:a.md'])
  await rm(join(damaged, '.git', 'objects', blob.slice(0, 2), blob.slice(2)))
  const other = await openMirror(git, join(folder, 'data', 'mirrors', 'two.git'))
  await expect(fetchMirror(other, await remoteFromFolder(damaged))).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('git fsck') as string,
  })
})

test('a checkout without a branch is read from its only one, and a folder inside of it names its repository', async () => {
  const { git } = await temporaryGit()
  const source = await checkout()
  plainGit(source, ['switch', '-q', '--detach'])
  const remote = await remoteFromFolder(source)
  expect(await checkRemote(git, remote)).toMatchObject({ branch: 'main' })
  plainGit(source, ['branch', 'topic'])
  await expect(checkRemote(git, remote)).rejects.toThrow('name one of its branches (main, topic)')
  await mkdir(join(source, 'docs', 'en'), { recursive: true })
  await expect(checkRemote(git, await remoteFromFolder(join(source, 'docs', 'en')))).rejects.toThrow(
    `is a folder of the repository ${remote.kind === 'folder' ? remote.folder : ''}: add that one, with docs/en`,
  )
})
