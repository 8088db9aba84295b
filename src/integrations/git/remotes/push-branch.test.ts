import { access, chmod, mkdir, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { fetchMirror } from '../mirrors/fetch-mirror.ts'
import type { Repository } from '../git.ts'
import { openMirror } from '../mirrors/open-mirror.ts'
import { deleteBranch, pushBranch } from './push-branch.ts'
import { startGitServer } from '../../../../tests/worlds/git/git-server.ts'
import { type Remote, remoteFromFolder, remoteFromUrl } from '../remote.ts'
import { plainGit, someone, temporaryGit, text } from '../../../../tests/worlds/git/temporary-git.ts'
import { writeCommit } from '../mirrors/create-repository.ts'

type Setting = { target: string; remote: Remote; mirror: Repository; main: string; commits: string[] }

async function checkoutAndMirror(): Promise<Setting> {
  const { git, folder } = await temporaryGit()
  const target = join(folder, 'checkout')
  await mkdir(target)
  plainGit(target, ['init', '-q', '-b', 'main'])
  await writeFile(join(target, 'a.md'), 'a\n')
  plainGit(target, ['add', '.'])
  plainGit(target, ['commit', '-q', '-m', 'one'])
  const remote = await remoteFromFolder(target)
  const mirror = await openMirror(git, join(folder, 'mirror.git'))
  await fetchMirror(mirror, remote)
  const main = plainGit(target, ['rev-parse', 'main'])
  const commits: string[] = []
  for (const name of ['first', 'second']) {
    const { commit } = await writeCommit(mirror, {
      parents: [main],
      changes: [{ path: `${name}.md`, content: text(name) }],
      message: name,
      author: someone,
      date: new Date(0),
    })
    commits.push(commit)
  }
  return { target, remote, mirror, main, commits }
}

test.each([
  { objects: 0o755, folders: 0o755, files: 0o444 },
  { objects: 0o770, folders: 0o770, files: 0o440 },
  { objects: 0o700, folders: 0o700, files: 0o400 },
])('what a push writes is as open as the objects that were there: $objects', async (expected) => {
  const { target, remote, mirror, commits } = await checkoutAndMirror()
  const objects = join(target, '.git', 'objects')
  const before = new Set(await readdir(objects, { recursive: true }))
  await chmod(objects, expected.objects)
  expect(
    await pushBranch(mirror, remote, { branch: 'docs/x', commit: commits[0] ?? '', expected: undefined }),
  ).toEqual({ state: 'pushed' })
  const made = (await readdir(objects, { recursive: true, withFileTypes: true })).filter(
    (entry) => !before.has(relative(objects, join(entry.parentPath, entry.name))),
  )
  expect(made.length).toBeGreaterThan(2)
  for (const entry of made) {
    const { mode } = await stat(join(entry.parentPath, entry.name))
    expect(mode & 0o777, entry.name).toBe(entry.isDirectory() ? expected.folders : expected.files)
  }
  const { mode } = await stat(join(target, '.git', 'refs', 'heads', 'docs', 'x'))
  expect(mode & 0o777).toBe(0o666 & expected.objects)
})

test('a branch is made, found done, moved with its lease, and left alone when it has moved', async () => {
  const { target, remote, mirror, main, commits } = await checkoutAndMirror()
  const [first = '', second = ''] = commits
  const branch = 'docs/job-1'
  expect(await pushBranch(mirror, remote, { branch, commit: first, expected: undefined })).toEqual({
    state: 'pushed',
  })
  // The same again, as after a crash: nobody recorded that it was done.
  expect(await pushBranch(mirror, remote, { branch, commit: first, expected: undefined })).toEqual({
    state: 'up_to_date',
  })
  expect(await pushBranch(mirror, remote, { branch, commit: second, expected: undefined })).toMatchObject({
    state: 'moved',
  })
  expect(await pushBranch(mirror, remote, { branch, commit: second, expected: main })).toMatchObject({
    state: 'moved',
  })
  expect(plainGit(target, ['rev-parse', branch])).toBe(first)
  expect(await pushBranch(mirror, remote, { branch, commit: second, expected: first })).toEqual({
    state: 'pushed',
  })
  expect(plainGit(target, ['rev-parse', branch])).toBe(second)

  expect(await deleteBranch(mirror, remote, { branch, expected: first })).toMatchObject({ state: 'moved' })
  expect(await deleteBranch(mirror, remote, { branch, expected: second })).toEqual({ state: 'pushed' })
  expect(await deleteBranch(mirror, remote, { branch, expected: second })).toEqual({ state: 'up_to_date' })
})

test('the branch that is checked out is not touched, even where the checkout would allow it', async () => {
  const { target, remote, mirror, main, commits } = await checkoutAndMirror()
  const [first = ''] = commits
  for (const policy of ['refuse', 'ignore', 'updateInstead']) {
    plainGit(target, ['config', 'receive.denyCurrentBranch', policy])
    const result = await pushBranch(mirror, remote, { branch: 'main', commit: first, expected: main })
    expect(result).toMatchObject({
      state: 'checked_out',
      message: expect.stringContaining('git switch --detach'),
    })
  }
  expect(plainGit(target, ['rev-parse', 'main'])).toBe(main)
  expect(plainGit(target, ['status', '--porcelain'])).toBe('')
  plainGit(target, ['switch', '-q', '--detach'])
  expect(await pushBranch(mirror, remote, { branch: 'main', commit: first, expected: main })).toEqual({
    state: 'pushed',
  })
  expect(await readFile(join(target, 'a.md'), 'utf8')).toBe('a\n')
})

test('the target’s hooks and configured programs do not run', async () => {
  const { target, remote, mirror, commits } = await checkoutAndMirror()
  const mark = join(target, '..', 'executed')
  const script = join(target, '..', 'script.sh')
  await writeFile(script, `#!/bin/sh\ntouch ${mark}\nexit 1\n`)
  await chmod(script, 0o755)
  await mkdir(join(target, '.git', 'own-hooks'))
  for (const folder of ['hooks', 'own-hooks']) {
    for (const hook of ['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction']) {
      await writeFile(join(target, '.git', folder, hook), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    }
  }
  plainGit(target, ['config', 'core.hooksPath', join(target, '.git', 'own-hooks')])
  plainGit(target, ['config', 'core.fsmonitor', script])
  const other = join(target, '..', 'other.git')
  plainGit(target, ['init', '-q', '--bare', other])
  await writeFile(join(target, '.git', 'objects', 'info', 'alternates'), `${join(other, 'objects')}\n`)
  plainGit(target, ['config', 'core.alternateRefsCommand', script])
  const result = await pushBranch(mirror, remote, {
    branch: 'job',
    commit: commits[0] ?? '',
    expected: undefined,
  })
  expect(result).toEqual({ state: 'pushed' })
  await expect(access(mark)).rejects.toThrow('ENOENT')
})

test('what the target refuses for other reasons is told in its words', async () => {
  const { target, remote, mirror, commits } = await checkoutAndMirror()
  plainGit(target, ['config', 'receive.hideRefs', 'refs/heads/secret'])
  const result = await pushBranch(mirror, remote, {
    branch: 'secret/x',
    commit: commits[0] ?? '',
    expected: undefined,
  })
  expect(result).toMatchObject({ state: 'refused', message: expect.stringContaining('hidden ref') })
  await expect(
    pushBranch(mirror, remote, { branch: '-x', commit: commits[0] ?? '', expected: undefined }),
  ).rejects.toMatchObject({ code: 'invalid' })
})

test('a push tells how far it is, and a slow one ends at its deadline and can be repeated', async () => {
  const { target, mirror, commits } = await checkoutAndMirror()
  const server = await startGitServer(join(target, '.git'))
  const remote = remoteFromUrl(server.url)
  const seen = new Set<string>()
  const branch = 'job'
  const [first = '', second = ''] = commits
  const onProgress = ({ phase }: { phase: string }): void => void seen.add(phase)
  const pushed = await pushBranch(mirror, remote, { branch, commit: first, expected: undefined, onProgress })
  expect(pushed).toEqual({ state: 'pushed' })
  expect([...seen]).toContain('writing objects')

  // It arrives, and nobody is told.
  server.stall('receive-pack-result')
  const next = { branch, commit: second, expected: first }
  await expect(pushBranch(mirror, remote, { ...next, deadline: 3000 })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('did not take the branch job within 3 s') as string,
  })
  expect(plainGit(target, ['rev-parse', branch])).toBe(second)
  server.stall(undefined)
  expect(await pushBranch(mirror, remote, next)).toEqual({ state: 'up_to_date' })
})

test.runIf(process.platform === 'linux')('a folder that nothing can be written to says so', async () => {
  const { remote, target, mirror, commits } = await checkoutAndMirror()
  const objects = join(target, '.git', 'objects')
  await rm(objects, { recursive: true })
  await rm(join(target, '.git', 'refs', 'heads', 'main'))
  // Not even root makes folders there.
  await symlink('/proc/self', objects)
  const result = await pushBranch(mirror, remote, {
    branch: 'job',
    commit: commits[0] ?? '',
    expected: undefined,
  })
  expect(result).toMatchObject({ state: 'refused', message: expect.stringContaining('cannot be written') })
})

test('what a host says is told, without its progress', async () => {
  const { target, mirror, commits } = await checkoutAndMirror()
  const hook = join(target, '.git', 'hooks', 'pre-receive')
  await mkdir(join(hook, '..'), { recursive: true })
  await writeFile(
    hook,
    '#!/bin/sh\nprintf "Checking rules:  50%% (1/2)\\\\rNo, because.\\\\n" >&2\nexit 1\n',
    {
      mode: 0o755,
    },
  )
  const server = await startGitServer(join(target, '.git'))
  const result = await pushBranch(mirror, remoteFromUrl(server.url), {
    branch: 'job',
    commit: commits[0] ?? '',
    expected: undefined,
    onProgress: () => undefined,
  })
  expect(result).toEqual({
    state: 'refused',
    message: 'The repository refused job: pre-receive hook declined: No, because',
  })
})
