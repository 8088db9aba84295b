import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { git as plainGit } from '../../../tests/repository.ts'
import { choosePastChanges, readPastChanges, type PastChange } from '../../features/impact/past-changes.ts'
import { docsNotion } from '../../features/impact/docs-notion.ts'
import { createGit, type Repository } from '../../integrations/git/git.ts'
import { readChangeMap } from '../../site/impact/change-map.ts'
import { copyBefore } from './copy-before.ts'

const notion = docsNotion('docs', readChangeMap(undefined))
let folder = ''
let source: Repository
let changes: PastChange[]
let leftOut: Record<string, number>

async function commit(files: Record<string, string>, message: string): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await plainGit(folder, 'add', '-A')
  await plainGit(folder, 'commit', '--quiet', '-m', message)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docwright-past-'))
  await plainGit(folder, 'init', '--quiet', '-b', 'main')
  await commit({ 'src/a.ts': 'one\n', 'docs/a.md': '# A\n', 'docs/b.md': '# B\n' }, 'Begin')
  await plainGit(folder, 'tag', 'v1')
  await commit({ 'src/a.ts': 'two\n', 'docs/zh/a.md': '# A\n' }, 'Translate')
  await commit({ 'src/a.ts': 'three\n', 'docs/changelog.md': 'Three\n' }, 'Only a change log')
  await commit({ 'README.md': 'Read\n' }, 'No code')
  await plainGit(folder, 'checkout', '--quiet', '-b', 'topic')
  await commit({ 'src/b.ts': 'b\n' }, 'Part one')
  await commit({ 'docs/b.md': '# B\n\nSecret of the future\n', 'docs/new.md': '# New\n' }, 'Part two')
  await plainGit(folder, 'checkout', '--quiet', 'main')
  await plainGit(
    folder,
    'merge',
    '--quiet',
    '--no-ff',
    'topic',
    '-m',
    'Merge pull request #7 from x/topic\n\nAdd B',
  )
  await plainGit(folder, 'tag', 'v2')
  await commit({ 'docs/a.md': '# A\n\nMore\n' }, 'Say more')
  const git = await createGit({
    dataFolder: await mkdtemp(join(tmpdir(), 'docwright-past-git-')),
    environment: process.env,
  })
  source = { git, folder: join(folder, '.git') }
  const to = await plainGit(folder, 'rev-parse', 'HEAD')
  const signal = new AbortController().signal
  ;({ changes, leftOut } = await readPastChanges(source, notion, {
    from: undefined,
    to,
    since: undefined,
    signal,
  }))
})

it('takes a merge as one change, and knows what people documented', () => {
  expect(changes.map(({ kind, pages }) => [kind, ...pages])).toEqual([
    ['docs', 'docs/a.md'],
    ['code', 'docs/b.md', 'docs/new.md'],
    ['silent'],
  ])
  expect(leftOut).toEqual({ 'docs that are not measured': 1, 'no page and no code': 1 })
})

it('chooses an equal share of each kind, the newest or the same sample', () => {
  const many = Array.from({ length: 9 }, (_, n): PastChange => {
    const kind = n < 6 ? 'silent' : n < 8 ? 'code' : 'docs'
    return { commit: `${(n * 7) % 9}`, parent: '', date: new Date(0), kind, pages: [] }
  })
  const choose = (limit: number, isSample: boolean) =>
    choosePastChanges(many, { limit, kinds: ['code', 'docs', 'silent'], isSample }).map((one) => one.commit)
  expect(choose(3, false)).toEqual([many[0], many[6], many[8]].map((one) => one?.commit))
  expect(choose(4, false)).toHaveLength(4)
  expect(choose(99, false)).toEqual(many.map((one) => one.commit))
  expect(choose(3, true)).toEqual(['0', '4', '2'].toSorted((a, b) => place(many, a) - place(many, b)))
  expect(choose(3, true)).toEqual(choose(3, true))
})

it('makes a copy that ends before the change, with its code and without its pages', async () => {
  const [, merged] = changes
  if (merged === undefined) throw new Error('No change')
  const bare = join(await mkdtemp(join(tmpdir(), 'docwright-copy-')), 'docs.git')
  const { head, message } = await copyBefore(source, bare, merged, notion)
  expect(message).toBe('Merge pull request #7 from x/topic\n\nAdd B')
  // What a server gets of it.
  const clone = await mkdtemp(join(tmpdir(), 'docwright-clone-'))
  await plainGit(clone, 'clone', '--quiet', '--mirror', '--no-local', `file://${bare}`, '.')
  expect(await plainGit(clone, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\nrefs/tags/v1')
  expect(await plainGit(clone, 'rev-parse', 'refs/heads/main^')).toBe(merged.parent)
  expect(await plainGit(clone, 'diff', '--name-only', `${head}^`, head)).toBe('src/b.ts')
  const objects = await plainGit(clone, 'cat-file', '--batch-check', '--batch-all-objects')
  const future = await plainGit(folder, 'rev-parse', `${merged.commit}:docs/b.md`, merged.commit, 'topic~')
  for (const id of future.split('\n')) expect(objects).not.toContain(id)
  expect(await plainGit(folder, 'status', '--porcelain')).toBe('')
})

it('ends before a change of pages alone', async () => {
  const [newest] = changes
  if (newest === undefined) throw new Error('No change')
  const bare = join(await mkdtemp(join(tmpdir(), 'docwright-copy-')), 'docs.git')
  const { head, message } = await copyBefore(source, bare, newest, notion)
  expect([head, message]).toEqual([newest.parent, 'Say more'])
})

function place(all: readonly PastChange[], commit: string): number {
  return all.findIndex((one) => one.commit === commit)
}
