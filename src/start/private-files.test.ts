import { chmod, mkdir, mkdtemp, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkFiles, closeFiles } from './private-files.ts'

it('closes what older versions left open, down to the last file, and tells of it before', async () => {
  const folder = await dataFolder()
  await expect(checkFiles(folder)).rejects.toThrow(
    new RegExp(`mirrors \\(755\\), secret-key \\(644\\).*chmod -R go= ${folder}`),
  )
  // All but `store/base`, and the folder itself.
  expect(await closeFiles(folder)).toBe(8)
  for (const name of ['', 'mirrors', 'mirrors/a.git', 'mirrors/a.git/pack', 'store', 'secret-key'])
    expect((await stat(join(folder, name))).mode & 0o077, name).toBe(0)
  // The owner's own modes stay: git's packs are not to be written.
  expect((await stat(join(folder, 'mirrors/a.git/pack'))).mode & 0o777).toBe(0o400)
  expect(await closeFiles(folder)).toBe(0)
  expect(await checkFiles(folder)).toContain('owner only')
})

it('does not count a data folder that is still empty', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-empty-'))
  await chmod(folder, 0o755)
  expect(await closeFiles(folder)).toBe(0)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

it('leaves alone what is not ours: other files beside them, and what a link leads to', async () => {
  const folder = await dataFolder()
  const outside = join(await mkdtemp(join(tmpdir(), 'docwright-outside-')), 'file')
  await writeFile(outside, 'x', { mode: 0o644 })
  await symlink(outside, join(folder, 'store', 'link'))
  await writeFile(join(folder, 'notes.txt'), 'x', { mode: 0o644 })
  await closeFiles(folder)
  const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777
  expect(await modeOf(outside)).toBe(0o644)
  expect(await modeOf(join(folder, 'notes.txt'))).toBe(0o644)
  expect(await modeOf(folder)).toBe(0o755)
  expect(await modeOf(join(folder, 'secret-key'))).toBe(0o600)
  expect(await checkFiles(folder)).toContain('owner only')
})

async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-modes-'))
  const make = async (name: string, mode: number, content?: string): Promise<void> => {
    const path = join(folder, name)
    await (content === undefined ? mkdir(path) : writeFile(path, content))
    // Whatever the umask of the tests is.
    await chmod(path, mode)
  }
  await make('mirrors', 0o755)
  await make('mirrors/a.git', 0o755)
  await make('mirrors/a.git/pack', 0o444, 'x')
  await make('mirrors/a.git/config', 0o644, 'x')
  await make('store', 0o750)
  await make('store/base', 0o600, 'x')
  await make('secret-key', 0o644, 'x')
  await make('server.json.77.tmp', 0o640, 'x')
  await chmod(folder, 0o755)
  return folder
}
