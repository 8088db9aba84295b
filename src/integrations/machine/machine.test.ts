import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { GitError } from '../git/process/run-git.ts'
import { describeSpace, requireMachine, watchMachine, type MachineSystem } from './machine.ts'

const megabyte = 1024 ** 2

it('takes no work below the least free space, and takes it again by itself', async () => {
  const free = { bytes: 100 * megabyte, files: 1000 }
  const changes: (string | undefined)[] = []
  using machine = await watchMachine({
    dataFolder: '/data',
    minFreeBytes: 64 * megabyte,
    onChange: (now) => changes.push(now?.reason),
    system: { free: () => Promise.resolve(free), tryFiles: () => Promise.resolve() },
  })
  expect(machine.trouble()).toBeUndefined()
  free.bytes = 63 * megabyte
  await expect.poll(() => machine.trouble(), { timeout: 120_000 }).toMatchObject({ reason: 'no_space' })
  expect(() => requireMachine(machine)).toThrow(
    'The disk of this server is full; it takes work again automatically',
  )
  free.bytes = 65 * megabyte
  await expect.poll(() => machine.trouble(), { timeout: 120_000 }).toBeUndefined()
  // A disk with room has no room for files either when it has no entries left.
  free.files = 0
  expect(await machine.look()).toMatchObject({ reason: 'no_space' })
  expect(changes).toEqual(['no_space', undefined, 'no_space'])
})

it('tries files, and goes on trying until they can be used again', async () => {
  let error: Error | undefined
  const system: MachineSystem = {
    free: () => Promise.resolve({ bytes: 100 * megabyte, files: 1000 }),
    tryFiles: () => (error ? Promise.reject(error) : Promise.resolve()),
  }
  using machine = await watchMachine({ dataFolder: '/data', minFreeBytes: 0, system })
  for (const [code, reason] of [
    ['EROFS', 'read_only'],
    ['EDQUOT', 'no_space'],
    ['EMFILE', 'no_files'],
    ['ESTALE', 'disk_error'],
  ] as const) {
    error = Object.assign(new Error(code), { code })
    expect(await machine.look()).toMatchObject({ reason })
    error = undefined
    await expect.poll(() => machine.trouble(), { timeout: 120_000 }).toBeUndefined()
  }
})

it('takes the word of the system for want of memory, and not the word of git', async () => {
  const system: MachineSystem = {
    free: () => Promise.resolve({ bytes: megabyte, files: 1 }),
    tryFiles: () => Promise.resolve(),
  }
  using machine = await watchMachine({ dataFolder: '/data', minFreeBytes: 0, system })
  const said = 'fatal: Out of memory, malloc failed (tried to allocate 5368709121 bytes)'
  expect(await machine.look(new GitError('repack', 128, said))).toBeUndefined()
  expect(await machine.look(Object.assign(new Error('spawn'), { code: 'ENOMEM' }))).toMatchObject({
    reason: 'no_memory',
  })
})

const script = (folder: string): string => `
  import { closeSync, openSync } from 'node:fs'
  import { watchMachine } from ${JSON.stringify(import.meta.resolve('./machine.ts'))}
  const machine = await watchMachine({ dataFolder: ${JSON.stringify(folder)}, minFreeBytes: 0 })
  const look = async () => console.log((await machine.look())?.reason ?? 'well')
  await look()
  const taken = []
  try { for (;;) taken.push(openSync('/dev/null', 'r')) } catch {}
  await look()
  for (const one of taken) closeSync(one)
  await look()
`

it('finds a process that may open no more files, and one that may write none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-machine-'))
  const said = async (limit: string): Promise<string[]> => {
    const args = ['-c', `ulimit ${limit}; exec "$@"`, 'sh', process.execPath]
    const child = spawn('sh', [...args, '--input-type=module', '--eval', script(folder)])
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
    return output.trim().split('\n')
  }
  expect(await said('-n 200')).toEqual(['well', 'no_files', 'well'])
  expect(await said('-f 0')).toEqual(['no_space', 'no_files', 'no_space'])
  expect(await readdir(join(folder, 'git', 'tmp'))).toEqual([])
})

it('says for people how much is free', async () => {
  expect(await describeSpace(tmpdir(), 0)).toMatch(/^[\d,.]+ [MGT]B free below /)
  await expect(describeSpace(tmpdir(), 1e18)).rejects.toThrow('DOCWRIGHT_MIN_FREE_MB')
  await expect(describeSpace('/nowhere/at/all', 0)).rejects.toThrow('There is no data folder')
})
