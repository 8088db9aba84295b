import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { takeStopped } from './watchdog.ts'

const stopped = join(await mkdtemp(join(tmpdir(), 'docwright-watchdog-')), 'stopped')
/** Begins a script. Who stands still burns a processor for as long, so that it is given as few seconds as the case needs. */
const watched = (seconds: number): string => `
  import { startWatchdog } from ${JSON.stringify(import.meta.resolve('./watchdog.ts'))}
  const stand = (milliseconds) => { for (const until = Date.now() + milliseconds; Date.now() < until;); }
  const watchdog = startWatchdog(${seconds}, ${JSON.stringify(stopped)})
  setInterval(() => {}, 1000)
`

it('ends a process whose main thread stands still, and says what was under way', async () => {
  const child = run(`
    void watchdog.during('job job_done', async () => {})
    void watchdog.during('job job_1', () => new Promise(() => {}))
    watchdog.note('GET /docs/a')
    setTimeout(() => { for (;;); }, 500)
  `)
  const said = text(child.stderr)
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
  const lines = (await said).trim().split('\n')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 60,
    underWay: ['job job_1', 'after GET /docs/a'],
    msg: expect.stringMatching(/blocked for \d+ s.* job job_1, after GET \/docs\/a$/),
  })
  expect(await takeStopped(stopped)).toEqual(['job job_1', 'after GET /docs/a'])
  expect(await takeStopped(stopped)).toEqual([])
})

it('ends one that waits for something that never comes, later', async () => {
  const blocked = `setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 500)`
  const child = run(blocked)
  const said = text(child.stderr)
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
  expect(await said).toMatch(/blocked for \d+ s/)
})

it('ends none that stands still for moments, again and again', async () => {
  const again = `
    let times = 0
    setInterval(() => { stand(1000); if (++times === 4) process.exit(7) }, 300)
  `
  const child = run(again, [], watched(3))
  expect(await once(child, 'exit')).toEqual([7, null])
})

it('ends none that was suspended, for however long', async () => {
  const runs = `
    console.log('runs')
    process.on('SIGUSR2', () => process.exit(7))
  `
  const child = run(runs, [], watched(3))
  await once(child.stdout, 'data')
  child.kill('SIGSTOP')
  await delay(5000)
  child.kill('SIGCONT')
  // The watching thread has had its turns too by now.
  await delay(3500)
  child.kill('SIGUSR2')
  expect(await once(child, 'exit')).toEqual([7, null])
})

it('ends none that a debugger may hold up, and none when it is switched off', async () => {
  const stands = `setTimeout(() => { stand(2500); process.exit(7) }, 1000)`
  const inspected = run(stands, ['--inspect=127.0.0.1:0'])
  const off = run(stands, [], watched(0))
  const ends = await Promise.all([once(inspected, 'exit'), once(off, 'exit')])
  expect(ends).toEqual([
    [7, null],
    [7, null],
  ])
})

it('keeps no process alive', async () => {
  const child = run('', [], watched(1).replace(/setInterval.*/, ''))
  expect(await once(child, 'exit')).toEqual([0, null])
})

function run(
  script: string,
  nodeOptions: string[] = [],
  before = watched(1),
): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [...nodeOptions, '--input-type=module', '--eval', before + script])
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}
