import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rename, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { checkFolder, type FolderCheck } from './check-folder.ts'
import { readWorkingFile } from '../../../integrations/git/working-copy.ts'
import { checkLines, githubAnnotations, gitlabReport } from '../../../cli/check/print-check.ts'

const pages = {
  'docs/index.md': '# Home\n\n[Gone](gone.md) and [setup](setup.md#run).\n',
  'docs/setup.md': '# Setup\n\n## Run\n\nText.\n',
  '.gitignore': 'out/\n',
  'out/x.md': '[never](looked-at.md)\n',
}

async function workingCopy(files: Record<string, string>, isRepository = true): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-copy-'))
  await write(folder, files)
  if (isRepository) {
    git(folder, 'init', '-q', '-b', 'main')
    commit(folder)
  }
  return folder
}

async function write(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
    encoding: 'utf8',
  })

function commit(folder: string): void {
  git(folder, 'add', '-A')
  git(folder, 'commit', '-q', '-m', 'x')
}

const check = (folder: string, base?: string, paths: string[] = []): Promise<FolderCheck> =>
  checkFolder({ folder, root: 'docs/', base, paths, environment: process.env })

const found = ({ problems }: FolderCheck) =>
  problems.map(({ path, line, check }) => `${path}:${line} ${check}`)

it('finds what is wrong with the pages as they are now, without what git ignores', async () => {
  const folder = await workingCopy(pages)
  expect(found(await check(folder))).toEqual(['docs/index.md:3 link'])
  await write(folder, { 'docs/new.md': '# New\n\n![No](no.png)\n', 'docs/setup.md': '# Setup\n' })
  expect(found(await check(folder))).toEqual([
    'docs/index.md:3 link',
    'docs/index.md:3 anchor',
    'docs/new.md:3 image',
  ])
  expect(found(await check(folder, undefined, ['docs/new.md']))).toEqual(['docs/new.md:3 image'])
  // A folder inside stands for the whole.
  expect(found(await check(join(folder, 'docs')))).toHaveLength(3)
  expect(git(folder, 'status', '--short')).toBe(' M docs/setup.md\n?? docs/new.md\n')
})

it('finds pages that a build would refuse, also where nothing is compared', async () => {
  const folder = await workingCopy({
    'docs/docs.json': '{"navigation":{"pages":["index"]}}',
    'docs/index.mdx': '# Home\n\n[Gone](gone.md)\n\n{open',
  })
  expect(found(await check(folder))).toEqual(['docs/index.mdx:3 link', 'docs/index.mdx:5 mdx'])
  expect(found(await check(folder, undefined, ['docs/other.mdx']))).toEqual([])
})

it('finds only what is new since a branch began', async () => {
  const folder = await workingCopy(pages)
  git(folder, 'checkout', '-q', '-b', 'work')
  await write(folder, { 'docs/setup.md': '# Setup\n\n[Other](other.md)\n\n## Run\n' })
  commit(folder)
  git(folder, 'checkout', '-q', 'main')
  await write(folder, { 'docs/index.md': '# Home\n' })
  commit(folder)
  git(folder, 'checkout', '-q', 'work')
  expect(found(await check(folder, 'main'))).toEqual(['docs/setup.md:3 link'])
  await expect(check(folder, 'nowhere')).rejects.toThrow('The repository has no commit "nowhere"')
  await expect(check(folder, '--output=/tmp/x')).rejects.toThrow('The repository has no commit')
})

it('checks a folder without git, and says what it lacks', async () => {
  const folder = await workingCopy(pages, false)
  expect(found(await check(folder))).toEqual(['docs/index.md:3 link'])
  await expect(check(folder, 'main')).rejects.toThrow('is in no git repository')
  const vitepress = await workingCopy(
    {
      'docs/.vitepress/config.ts': 'export default {}',
      'docs/.vitepress/dist/x.md': '[Gone](gone.md)',
      'docs/a.md': '# A\n\n<div>\n',
    },
    false,
  )
  expect(found(await check(vitepress))).toEqual(['docs/a.md:3 mdx'])
  await expect(
    checkFolder({ folder, root: 'pages', base: undefined, paths: [], environment: {} }),
  ).rejects.toThrow('has no folder pages')
  await expect(check(join(folder, 'nothing'))).rejects.toThrow('There is no folder')
})

it('reads links to its files and nothing outside of the working copy, also where a link has taken the place of a folder', async () => {
  const folder = await workingCopy(pages)
  const outside = await workingCopy({ 'index.md': '# Secret\n\n[Password](hunter2.md)\n' }, false)
  await rename(join(folder, 'docs'), join(folder, 'pages'))
  await symlink(outside, join(folder, 'docs'))
  await symlink(join(outside, 'index.md'), join(folder, 'pages', 'linked.md'))
  await symlink('../pages/index.md', join(folder, 'pages', 'same.md'))
  const all = await checkFolder({ folder, root: '', base: undefined, paths: [], environment: process.env })
  expect(found(all)).toEqual(['pages/index.md:3 link', 'pages/same.md:3 link'])
  expect(await readWorkingFile(folder, 'pages/same.md')).toEqual(
    await readWorkingFile(folder, 'pages/index.md'),
  )
  expect(await readWorkingFile(folder, 'docs/index.md')).toBeUndefined()
  expect(await readWorkingFile(join(folder, 'pages'), '../.gitignore')).toBeUndefined()
  expect(await readWorkingFile(folder, 'pages/index.md')).toBeDefined()
})

it('writes reports in which names and texts of pages stay what they are', async () => {
  const name = 'docs/a,b:c%\n::warning::\u001b[31mx.md'
  const folder = await workingCopy({ ...pages, [name]: '# A\n\n[x](y.md)\n' })
  const result = await check(folder)
  const lines = githubAnnotations(result).trimEnd().split('\n')
  expect(lines).toHaveLength(result.problems.length)
  expect(lines.every((line) => line.startsWith('::error file=docs/'))).toBe(true)
  expect(lines.join('\n')).toContain('file=docs/a%2Cb%3Ac%25%0A%3A%3Awarning%3A%3A\u{FFFD}[31mx.md,line=3')
  const report = JSON.parse(gitlabReport(result)) as { fingerprint: string; location: { path: string } }[]
  expect(report.map(({ location }) => location.path)).toEqual(result.problems.map(({ path }) => path))
  expect(new Set(report.map(({ fingerprint }) => fingerprint)).size).toBe(report.length)
  expect(JSON.stringify(checkLines(result))).toContain(`${result.problems.length} errors`)
})
