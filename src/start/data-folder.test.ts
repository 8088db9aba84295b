import { chmod, mkdtemp, readdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkDataFolder, dataPaths, operatorToken, secretKey } from './data-folder.ts'

it('gives every process that starts at once the same whole token, which only the owner can read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-folder-'))
  const tokens = await Promise.all(Array.from({ length: 20 }, () => operatorToken(folder)))
  expect(new Set(tokens).size).toBe(1)
  expect(tokens[0]).toMatch(/^operator_\w{43}$/)
  expect(await readdir(folder)).toEqual(['operator-token'])
  await chmod(dataPaths(folder).operatorToken, 0o644)
  expect(await operatorToken(folder)).toBe(tokens[0])
  expect((await stat(dataPaths(folder).operatorToken)).mode & 0o777).toBe(0o600)
})

it('keeps one secret key for the owner alone, and takes nothing else for it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-folder-'))
  const key = await secretKey(folder)
  expect(key).toHaveLength(32)
  expect(await secretKey(folder)).toEqual(key)
  expect((await stat(dataPaths(folder).secretKey)).mode & 0o777).toBe(0o600)
  await writeFile(dataPaths(folder).secretKey, 'short')
  await expect(secretKey(folder)).rejects.toThrow(/64 hexadecimal digits/)
})

it.skipIf(process.platform !== 'linux').each(['/proc/x', '/proc/x/y', '/dev/null/x'])(
  'says in one line that %s cannot be the data folder',
  async (folder) => {
    await expect(checkDataFolder(folder)).rejects.toThrow(`Can’t write to the data folder ${folder}`)
  },
)
