import { execFileSync } from 'node:child_process'
import { access, chmod, mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changedFiles } from './changed-files.ts'
import { checkRemote } from '../remotes/check-remote.ts'
import { diffTrees } from './diff-trees.ts'
import { fetchMirror } from '../mirrors/fetch-mirror.ts'
import { grepTree } from './grep-tree.ts'
import { listTree } from './list-tree.ts'
import { openMirror } from '../mirrors/open-mirror.ts'
import { pushBranch } from '../remotes/push-branch.ts'
import { readBlobs } from './blob-reader.ts'
import { remoteFromFolder } from '../remote.ts'
import { resolveReference } from '../resolve-reference.ts'
import { servePack, serveReferences } from '../serve-upload-pack.ts'
import { plainGit, someone, temporaryGit, text } from '../../../../tests/worlds/git/temporary-git.ts'
import { writeCommit } from '../mirrors/create-repository.ts'

const date = new Date(0)

// Objects that no ordinary git would make: written straight into the database.
function rawTree(repository: string, entries: [mode: string, name: Buffer, oid: string][]): string {
  const bytes = entries.map(([mode, name, oid]) =>
    Buffer.concat([Buffer.from(`${mode} `), name, Buffer.from([0]), Buffer.from(oid, 'hex')]),
  )
  return plainGit(
    repository,
    ['hash-object', '-w', '--literally', '-t', 'tree', '--stdin'],
    Buffer.concat(bytes),
  )
}

test('links, submodules, .git paths, undecodable names and huge files are data, nothing more', async () => {
  const { git, folder } = await temporaryGit()
  const source = join(folder, 'hostile')
  await mkdir(source)
  plainGit(source, ['init', '-q', '-b', 'main'])
  const mark = join(folder, 'executed')
  const page = plainGit(source, ['hash-object', '-w', '--stdin'], 'hello\n')
  const link = plainGit(source, ['hash-object', '-w', '--stdin'], '/etc/passwd')
  const modules = `[submodule "x"]\n\tpath = sub\n\turl = ext::sh -c touch% ${mark}\n\tupdate = !touch ${mark}\n`
  const submodules = plainGit(source, ['hash-object', '-w', '--stdin'], modules)
  await writeFile(join(source, 'huge'), '')
  await truncate(join(source, 'huge'), 50 * 1024 * 1024)
  const huge = plainGit(source, ['hash-object', '-w', 'huge'])
  const inner = rawTree(source, [['100644', Buffer.from('config'), page]])
  const parent = rawTree(source, [['100644', Buffer.from('escape.md'), page]])
  const root = rawTree(source, [
    ['40000', Buffer.from('..'), parent],
    ['40000', Buffer.from('.git'), inner],
    ['100644', Buffer.from('.gitmodules'), submodules],
    ['100644', Buffer.from([0x62, 0xff, 0xfe, 0x2e, 0x6d, 0x64]), page],
    ['100644', Buffer.from('huge.md'), huge],
    ['120000', Buffer.from('link.md'), link],
    ['100644', Buffer.from('page.md'), page],
    ['160000', Buffer.from('sub'), '1'.repeat(40)],
  ])
  const commit = plainGit(source, ['commit-tree', root, '-m', 'hostile'])
  plainGit(source, ['update-ref', 'refs/heads/main', commit])

  const mirror = await openMirror(git, join(folder, 'mirror.git'))
  await fetchMirror(mirror, await remoteFromFolder(source))
  const entries = await listTree(mirror, commit)
  expect(entries.map((entry) => `${entry.mode} ${entry.path}`)).toEqual([
    '100644 ../escape.md',
    '100644 .git/config',
    '100644 .gitmodules',
    '100644 huge.md',
    '120000 link.md',
    '100644 page.md',
    '160000 sub',
  ])
  const states: string[] = []
  for await (const blob of readBlobs(
    mirror,
    entries.map((entry) => entry.oid),
  ))
    states.push(blob.state)
  expect(states).toEqual(['read', 'read', 'read', 'too_large', 'read', 'read', 'missing'])
  const { matches } = await grepTree(mirror, commit, 'root:|hello')
  expect(matches.map((match) => match.path)).toEqual(['../escape.md', '.git/config', 'page.md'])

  // A tree that git itself holds for an attack is not built upon, and the error says which path it is.
  const input = {
    parents: [commit],
    changes: [{ path: 'new.md', content: text('n') }],
    message: 'm',
    author: someone,
    date,
  }
  await expect(writeCommit(mirror, input)).rejects.toThrow(/contains the path .*, which git refuses/)

  const cleanTree = rawTree(source, [
    ['100644', Buffer.from([0x62, 0xff, 0xfe, 0x2e, 0x6d, 0x64]), page],
    ['120000', Buffer.from('link.md'), link],
    ['160000', Buffer.from('sub'), '1'.repeat(40)],
  ])
  const clean = plainGit(source, ['commit-tree', cleanTree, '-m', 'clean'])
  plainGit(source, ['update-ref', 'refs/heads/main', clean])
  await fetchMirror(mirror, await remoteFromFolder(source))
  for (const path of ['link.md', 'link.md/x', 'sub', 'sub/x']) {
    const change = { ...input, parents: [clean], changes: [{ path, content: text('n') }] }
    await expect(writeCommit(mirror, change)).rejects.toMatchObject({ code: 'invalid' })
  }
  const next = await writeCommit(mirror, { ...input, parents: [clean] })
  // What cannot be named is still there.
  expect(plainGit(mirror.folder, ['ls-tree', '-z', next.commit])).toContain(`${page}\tb`)
  expect((await changedFiles(mirror, clean, commit)).map((file) => file.path)).toContain('huge.md')
  expect((await diffTrees(mirror, clean, commit)).text).toContain('Binary files')
  await expect(access(mark)).rejects.toThrow('ENOENT')
})

test('configuration of a served folder runs nothing', async () => {
  const { git, folder } = await temporaryGit()
  const source = join(folder, 'bare.git')
  plainGit(folder, ['init', '-q', '--bare', '-b', 'main', source])
  const mark = join(folder, 'executed')
  const script = join(folder, 'script.sh')
  await writeFile(script, `#!/bin/sh\ntouch ${mark}\nexec "$@"\n`)
  await chmod(script, 0o755)
  const tree = plainGit(source, ['hash-object', '-w', '-t', 'tree', '--stdin'], '')
  const commit = plainGit(source, ['commit-tree', tree, '-m', 'one'])
  plainGit(source, ['update-ref', 'refs/heads/main', commit])
  await mkdir(join(source, 'hooks'), { recursive: true })
  await symlink(script, join(source, 'hooks', 'reference-transaction'))
  for (const key of [
    'core.fsmonitor',
    'uploadpack.packObjectsHook',
    'core.pager',
    'core.alternateRefsCommand',
  ]) {
    plainGit(source, ['config', key, script])
  }
  const repository = { git, folder: source }
  const listed = await new Response(await bytes((await serveReferences(repository, {})).body)).text()
  expect(listed).toContain(commit)
  const body = Buffer.from(`0032want ${commit}\n00000009done\n`)
  expect((await bytes((await servePack(repository, { body })).body)).includes('PACK')).toBe(true)
  await expect(access(mark)).rejects.toThrow('ENOENT')
})

async function bytes(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

test.skipIf(process.getuid?.() !== 0)(
  'a folder of another user works once it is registered (needs root to make one)',
  async () => {
    const { git, folder } = await temporaryGit()
    for (const kind of ['checkout', 'bare', 'worktree']) {
      const source = join(folder, kind)
      if (kind === 'worktree')
        plainGit(join(folder, 'checkout'), ['worktree', 'add', '-q', '-b', 'wt', source])
      else {
        await mkdir(source)
        plainGit(source, ['init', '-q', '-b', 'main', ...(kind === 'bare' ? ['--bare'] : [])])
        const tree = plainGit(source, ['hash-object', '-w', '-t', 'tree', '--stdin'], '')
        plainGit(source, [
          'update-ref',
          'refs/heads/main',
          plainGit(source, ['commit-tree', tree, '-m', 'one']),
        ])
      }
    }
    for (const kind of ['checkout', 'bare', 'worktree'])
      execFileSync('chown', ['-R', '65534:65534', join(folder, kind)])
    for (const kind of ['checkout', 'bare', 'worktree']) {
      const source = join(folder, kind)
      // Without the generated configuration git refuses: the test would prove nothing otherwise.
      expect(() => plainGit(folder, ['ls-remote', source])).toThrow('dubious ownership')
      const remote = await remoteFromFolder(source)
      const { branch, commit } = await checkRemote(git, remote)
      const mirror = await openMirror(git, join(folder, `${kind}.mirror.git`))
      await fetchMirror(mirror, remote)
      expect(await resolveReference(mirror, `refs/heads/${branch}`)).toBe(commit)
      const pushed = await pushBranch(mirror, remote, { branch: `job-${kind}`, commit, expected: undefined })
      expect(pushed).toEqual({ state: 'pushed' })
      const served = { git, folder: kind === 'checkout' ? join(source, '.git') : source }
      if (kind === 'worktree') continue
      const listed = await bytes((await serveReferences(served, {})).body)
      expect(listed.includes(commit)).toBe(true)
    }
  },
)
