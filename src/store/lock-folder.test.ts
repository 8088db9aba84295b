import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lockFolder } from './lock-folder.ts'

it('refuses a second holder by name and is free again after the first', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-lock-'))
  {
    await using _lock = await lockFolder(folder, 'the first (process 1)')
    await expect(lockFolder(folder, 'the second')).rejects.toThrow('in use by the first (process 1)')
  }
  await using _again = await lockFolder(folder, 'the third')
})

it('takes over at once from a process that was killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-lock-'))
  const script = `
    import { lockFolder } from ${JSON.stringify(new URL('lock-folder.ts', import.meta.url).href)}
    globalThis.lock = await lockFolder(${JSON.stringify(folder)}, 'the killed one')
    console.log('held')
    setInterval(() => undefined, 1000)
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  await expect(lockFolder(folder, 'x')).rejects.toThrow('the killed one')
  child.kill('SIGKILL')
  await once(child, 'exit')
  await using _lock = await lockFolder(folder, 'the next one')
})
