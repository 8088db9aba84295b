import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { buffer, text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { machineTrouble } from '../../../lib/machine-trouble.ts'
import { openSpawner } from './spawner.ts'
import { startProcess, type ProcessCall, type StartProcess } from './start-process.ts'

const call = (...args: string[]): ProcessCall => ({
  args,
  cwd: tmpdir(),
  env: { PATH: process.env['PATH'] ?? '', WORD: 'said' },
})

describe.each(['ourselves', 'a helper'])('a program started by %s', (who) => {
  const using = async (tries: (start: StartProcess) => Promise<void>): Promise<void> => {
    await using spawner = await openSpawner()
    await tries(who === 'a helper' ? spawner.start : startProcess)
  }

  it('has its own streams, folder and environment, many at a time', () =>
    using(async (start) => {
      const body = Buffer.alloc(3_000_000, 'x')
      await Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          const child = await start(
            'sh',
            call('-c', `pwd; echo $WORD $HOME ${index} >&2; cat; exit ${index}`),
          )
          child.stdin.end(body)
          const [out, error] = await Promise.all([buffer(child.stdout), text(child.stderr)])
          expect(out.equals(Buffer.concat([Buffer.from(`${tmpdir()}\n`), body]))).toBe(true)
          expect(error).toBe(`said ${index}\n`)
          expect(await child.closed).toEqual({ code: index, signal: null })
        }),
      )
    }))

  it('ends for whoever reads nothing of it, and while somebody still writes to it', () =>
    using(async (start) => {
      const child = await start('sh', call('-c', 'echo out; echo error >&2; exit 3'))
      child.stdin.on('error', () => {})
      child.stdin.write(Buffer.alloc(1_000_000))
      expect(await child.closed).toEqual({ code: 3, signal: null })
    }))

  it('can be killed with all that it started', () =>
    using(async (start) => {
      const child = await start('sh', call('-c', 'sleep 60 & echo ready; sleep 60'))
      await new Promise((resolve) => child.stdout.once('data', resolve))
      process.kill(-child.pid, 'SIGKILL')
      expect(await child.closed).toEqual({ code: null, signal: 'SIGKILL' })
    }))

  it('is told to be missing', () =>
    using(async (start) => {
      await expect(start('no-such-program', call())).rejects.toMatchObject({ code: 'ENOENT' })
    }))
})

it('what a helper has started ends with it, and its folder goes', async () => {
  const before = new Set(readdirSync(tmpdir()))
  const spawner = await openSpawner()
  const folder = readdirSync(tmpdir()).find(
    (name) => !before.has(name) && existsSync(`${tmpdir()}/${name}/streams`),
  )
  const child = await spawner.start('sleep', call('60'))
  expect(isRunning(child.pid)).toBe(true)
  const ended = child.closed.catch((error: unknown) => error)
  await spawner[Symbol.asyncDispose]()
  expect(await ended).toMatchObject({ code: 'unavailable' })
  await expect.poll(() => isRunning(child.pid)).toBe(false)
  expect(existsSync(`${tmpdir()}/${folder}`)).toBe(false)
  const next = await spawner.start('true', call())
  expect(await next.closed).toEqual({ code: 0, signal: null })
})

it('what a helper has started ends when it is killed, and another helper takes its place', async () => {
  await using spawner = await openSpawner()
  const child = await spawner.start('sh', call('-c', 'trap "" PIPE HUP; sleep 60 & echo $!; wait'))
  const sleeping = Number(await once(child.stdout, 'data'))
  const helper = parentOf(child.pid)
  expect(helper).not.toBe(process.pid)
  const ended = child.closed.catch((error: unknown) => error)
  process.kill(helper, 'SIGKILL')
  expect(machineTrouble(await ended)).toMatchObject({ reason: 'no_memory' })
  await expect.poll(() => [isRunning(child.pid), isRunning(sleeping)]).toEqual([false, false])
  // Meanwhile we start programs, and then the next helper does.
  const starter = async (): Promise<number> => {
    const next = await spawner.start('sleep', call('60'))
    const parent = parentOf(next.pid)
    process.kill(-next.pid, 'SIGKILL')
    await next.closed
    return parent
  }
  expect(await starter()).toBe(process.pid)
  await expect.poll(starter, { timeout: 120_000 }).not.toBe(process.pid)
  expect(await starter()).not.toBe(helper)
})

it('what a helper has started ends with a server that is killed', async () => {
  const script = `
    import { openSpawner } from ${JSON.stringify(import.meta.resolve('./spawner.ts'))}
    const { start } = await openSpawner()
    const { pid } = await start('sleep', ${JSON.stringify(call('60'))})
    console.log(pid)
  `
  const server = spawn(process.execPath, ['--input-type=module', '--eval', script])
  const pid = Number(await once(server.stdout, 'data'))
  const helper = parentOf(pid)
  expect([isRunning(pid), isRunning(helper)]).toEqual([true, true])
  server.kill('SIGKILL')
  await expect.poll(() => [isRunning(pid), isRunning(helper)], { timeout: 120_000 }).toEqual([false, false])
})

function parentOf(pid: number): number {
  return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
}

function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
