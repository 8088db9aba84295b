import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkGitVersion } from './check-git-version.ts'
import { createGit, type Git } from '../git.ts'
import { remoteFromUrl } from '../remote.ts'
import { runGit } from './run-git.ts'
import { temporaryFolder, temporaryGit } from '../../../../tests/worlds/git/temporary-git.ts'

async function fakeGit(
  script: string,
  environment: Record<string, string> = {},
): Promise<{ git: Git; folder: string }> {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'bin'))
  await writeFile(join(folder, 'bin', 'git'), `#!/bin/sh\n${script}\n`)
  await chmod(join(folder, 'bin', 'git'), 0o755)
  const all = { ...environment, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` }
  return { git: await createGit({ dataFolder: join(folder, 'data'), environment: all }), folder }
}

test('the git of this machine is new enough', async () => {
  const { git } = await temporaryGit()
  expect(await checkGitVersion(git)).toMatch(/^\d+\.\d+/)
})

test('a git that is too old is named with what to install', async () => {
  const { git } = await fakeGit('echo git version 2.37.4')
  await expect(checkGitVersion(git)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'git is too old (git version 2.37.4): install git 2.38 or later',
  })
})

test('a missing git is named with what to install', async () => {
  const folder = await temporaryFolder()
  const git = await createGit({ dataFolder: join(folder, 'data'), environment: { PATH: folder } })
  await expect(checkGitVersion(git)).rejects.toThrow('git was not found: install git 2.38 or later')
})

test('git sees nothing of our environment but path, proxy and certificates', async () => {
  const { git } = await fakeGit('env', {
    SECRET: 'hidden',
    GIT_SSH_COMMAND: 'hidden',
    HTTPS_PROXY: 'http://proxy:3128',
    HOME: '/hidden',
  })
  const output = (await runGit(git, { args: ['x'] })).stdout.toString()
  expect(output).not.toContain('hidden')
  expect(output).toContain('HTTPS_PROXY=http://proxy:3128')
  expect(output).toContain('GIT_ALLOW_PROTOCOL=none')
})

test('a credential travels by environment only and is cut out of errors', async () => {
  const { git } = await fakeGit('echo "args $*" >&2; env | grep VALUE >&2; echo "s3cret-word" >&2; exit 9')
  const remote = remoteFromUrl('https://example.com/a.git', {
    credential: { username: 'me', password: 's3cret-word' },
  })
  const failure = await runGit(git, { args: ['fetch'], remote }).catch((error: unknown) => error)
  expect(failure).toMatchObject({ exitCode: 9 })
  const told = String(failure) + JSON.stringify(failure)
  expect(told).toContain('Authorization: Basic ***')
  expect(told).not.toContain('s3cret-word')
  expect(told).not.toContain(Buffer.from('me:s3cret-word').toString('base64'))
})

test('a deadline ends git and everything that git started', async () => {
  const { git, folder } = await fakeGit('sleep 300 & echo $! > "$TMPDIR/pid"; wait', {
    TMPDIR: await temporaryFolder(),
  })
  await expect(runGit(git, { args: ['fetch'], deadline: 1000 })).rejects.toThrow(
    'git fetch took longer than 1 s',
  )
  const pid = Number(await readFile(join(git.environment['TMPDIR'] ?? folder, 'pid'), 'utf8'))
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test('an abort ends git with the reason given', async () => {
  const { git } = await fakeGit('sleep 300')
  const stop = new AbortController()
  const run = runGit(git, { args: ['fetch'], signal: stop.signal })
  stop.abort(new Error('cancelled'))
  await expect(run).rejects.toThrow('cancelled')
  await expect(runGit(git, { args: ['fetch'], signal: stop.signal })).rejects.toThrow('cancelled')
})

test('endless output is cut off at its limit', async () => {
  const { git } = await fakeGit('yes')
  await expect(runGit(git, { args: ['x'], maxBytes: 1000 })).rejects.toMatchObject({ code: 'too_large' })
  const cut = await runGit(git, { args: ['x'], maxBytes: 1000, overflow: 'truncate' })
  expect(cut).toMatchObject({ truncated: true })
  expect(cut.stdout).toHaveLength(1000)
})

test('a data folder inside a repository does not lead git into that one', async () => {
  const { git, folder } = await temporaryGit()
  await runGit(git, { args: ['init', '-q', folder] })
  await expect(runGit(git, { args: ['rev-parse', '--git-dir'] })).rejects.toThrow('not a git repository')
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // A killed orphan may stay a zombie where nothing reaps.
  return !/^State:\s*Z/m.test(readStatus(pid))
}

function readStatus(pid: number): string {
  try {
    return process.getBuiltinModule('node:fs').readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
