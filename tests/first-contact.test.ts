import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBareRepository, git } from './repository.ts'
import { runCommand, startServer, type TestServer } from './server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.stop())

it('takes a shallow checkout with a wrong folder to a merged pull request, by what the commands say', async () => {
  const checkout = await clone(
    { 'README.md': '# Us', 'docs/index.md': '# Start\n\none\n', 'docs/more.md': '# More' },
    '--depth=1',
  )
  const added = await run('project', 'add', checkout, '--domain', 'shallow', '--root', 'doc')
  expect(added.code).toBe(0)
  expect(added.stdout).toMatch(/sync +no pages/)
  expect((await run('project', 'list')).stdout).toMatch(/shallow .* 0 +no pages/)
  expect((await run('doctor')).stdout).toContain('! pages of shallow: No page was found')
  expect(added.stdout).toContain('project connect shallow --root ')
  expect((await run('project', 'connect', 'shallow', '--root', 'docs')).code).toBe(0)
  expect((await run('project', 'sync', 'shallow')).stdout).toMatch(/pages +2/)

  const prompt = 'Replace "one" with "two" in index.md'
  const created = await run('job', 'create', prompt, '--project', 'shallow', '--watch')
  expect([created.code, created.stdout]).toEqual([0, expect.stringContaining('/pulls/1')])
  const shown = await run('pull', 'show', '1', '--project', 'shallow')
  expect(shown.stdout).toContain('open, cannot be merged now')
  const [, command = ''] = /"git (merge --no-ff \S+)"/.exec(shown.stdout) ?? []
  const refused = await run('pull', 'merge', '1', '--project', 'shallow')
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(command)])
  await git(checkout, ...command.split(' '), '--no-edit')
  await run('project', 'sync', 'shallow')
  await expect
    .poll(async () => (await run('pull', 'list', '--project', 'shallow')).stdout)
    .toContain('merged')
})

it('says how to go on after a repository that could not be read', async () => {
  const checkout = await clone({ 'index.md': '# Start' }, '--filter=blob:none', '--no-checkout')
  const added = await run('project', 'add', checkout, '--domain', 'partial')
  expect(added.code).toBe(3)
  expect(added.stderr).toContain('is a partial clone')
  expect(added.stderr).toContain('project sync partial')
  expect(added.stderr).toContain('project remove partial --yes')
  await git(checkout, '-c', 'maintenance.auto=false', 'fetch', '-q', '--refetch', '--no-filter')
  expect((await run('project', 'sync', 'partial')).stdout).toMatch(/pages +1/)
})

it('leaves nothing of a repository that is refused at once', async () => {
  const checkout = await clone({ 'docs/index.md': '# Start' })
  await rm(join(checkout, '.git'), { recursive: true })
  await git(checkout, 'init', '-q')
  for (const [place, message] of [
    [checkout, 'is empty: push a first commit to it'],
    [join(checkout, 'docs'), 'with docs as the folder of its pages, --root'],
    ['ssh://git@git.example.com:2222/a/b.git', 'Enter the https URL'],
    [`file://${checkout}`, 'Enter its path'],
  ] as const) {
    const added = await run('project', 'add', place, '--domain', 'refused')
    expect([added.code, added.stderr]).toEqual([2, expect.stringContaining(message)])
  }
  expect((await run('project', 'list')).stdout).not.toContain('refused')
})

const run = (...words: string[]): ReturnType<typeof runCommand> => runCommand(server.dataFolder, ...words)

/** A checkout of a repository with these files, as a person has it. */
async function clone(files: Record<string, string>, ...flags: string[]): Promise<string> {
  const origin = await createBareRepository(files)
  await git(origin, 'config', 'uploadpack.allowFilter', 'true')
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'docwright-clone-')))
  await git(folder, 'clone', '-q', ...flags, `file://${origin}`, 'checkout')
  return join(folder, 'checkout')
}
