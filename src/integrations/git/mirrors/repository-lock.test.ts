import { fork, type ChildProcess } from 'node:child_process'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { Repository } from '../git.ts'
import { withRepositoryLock } from './repository-lock.ts'
import { temporaryGit } from '../../../../tests/worlds/git/temporary-git.ts'

async function repository(): Promise<Repository> {
  const { git, folder } = await temporaryGit()
  return { git, folder: join(folder, 'mirror') }
}

// Another real process that takes the lock, says so, and does what it is told.
async function other(held: Repository, body: string): Promise<ChildProcess> {
  const script = join(held.git.folder, `other-${performance.now()}.ts`)
  const module = pathToFileURL(join(import.meta.dirname, 'repository-lock.ts')).href
  await writeFile(
    script,
    `import { withRepositoryLock } from ${JSON.stringify(module)}
import { appendFile } from 'node:fs/promises'
const repository = ${JSON.stringify(held)}
${body}`,
  )
  const child = fork(script, { stdio: 'inherit' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

function message(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', () => reject(new Error('The other process has ended')))
  })
}

test('waiters of one process go in order of arrival, one at a time', async () => {
  const shared = await repository()
  const seen: string[] = []
  await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) =>
      withRepositoryLock(shared, async () => {
        seen.push(`${name} in`)
        await new Promise((resolve) => setTimeout(resolve, 5))
        seen.push(`${name} out`)
      }),
    ),
  )
  expect(seen).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out', 'd in', 'd out'])
})

test('work that holds the lock may ask for it again, and a failure frees it', async () => {
  const shared = await repository()
  const nested = withRepositoryLock(shared, () =>
    withRepositoryLock(shared, () => Promise.reject(new Error('inner'))),
  )
  await expect(nested).rejects.toThrow('inner')
  expect(await withRepositoryLock(shared, () => Promise.resolve('free'))).toBe('free')
})

test('what outlives the work does not count as its holder', async () => {
  const shared = await repository()
  let later: Promise<string> | undefined
  const gate = Promise.withResolvers<void>()
  await withRepositoryLock(shared, async () => {
    later = gate.promise.then(() => withRepositoryLock(shared, async () => 'alone'))
  })
  const blocker = Promise.withResolvers<void>()
  const holder = withRepositoryLock(shared, () => blocker.promise)
  gate.resolve()
  const first = await Promise.race([later, new Promise((resolve) => setTimeout(resolve, 50, 'waits'))])
  expect(first).toBe('waits')
  blocker.resolve()
  await holder
  expect(await later).toBe('alone')
})

test('a waiter that gives up does not let the next one in early', async () => {
  const shared = await repository()
  const blocker = Promise.withResolvers<void>()
  const holder = withRepositoryLock(shared, () => blocker.promise)
  const stop = new AbortController()
  const impatient = withRepositoryLock(shared, async () => 'never', { signal: stop.signal })
  let entered = false
  const next = withRepositoryLock(shared, async () => {
    entered = true
  })
  stop.abort(new Error('gave up'))
  await expect(impatient).rejects.toThrow('gave up')
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(entered).toBe(false)
  blocker.resolve()
  await Promise.all([holder, next])
  expect(entered).toBe(true)
})

test('two processes never hold it at once', async () => {
  const shared = await repository()
  const log = join(shared.git.folder, 'log')
  const rounds = `
for (let n = 0; n < 20; n++) {
  await withRepositoryLock(repository, async () => {
    await appendFile(${JSON.stringify(log)}, 'in\\n')
    await new Promise((resolve) => setTimeout(resolve, 2))
    await appendFile(${JSON.stringify(log)}, 'out\\n')
  })
}
process.send('done')
process.disconnect()`
  const child = await other(shared, rounds)
  const done = message(child)
  for (let n = 0; n < 20; n++) {
    await withRepositoryLock(shared, async () => {
      await appendFile(log, 'in\n')
      await new Promise((resolve) => setTimeout(resolve, 2))
      await appendFile(log, 'out\n')
    })
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect(await done).toBe('done')
  expect(await readFile(log, 'utf8')).toBe('in\nout\n'.repeat(40))
})

test('the lock of a process that is killed is free at once', async () => {
  const shared = await repository()
  const child = await other(
    shared,
    `await withRepositoryLock(repository, async () => { process.send('held'); await new Promise((resolve) => setTimeout(resolve, 600000)) })`,
  )
  expect(await message(child)).toBe('held')
  await expect(withRepositoryLock(shared, async () => {}, { patience: 100 })).rejects.toMatchObject({
    code: 'unavailable',
  })
  child.kill('SIGKILL')
  expect(await withRepositoryLock(shared, async () => 'mine', { patience: 10_000 })).toBe('mine')
})
