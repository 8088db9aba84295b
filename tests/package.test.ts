import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { tryServer } from '../scripts/package/try-server.ts'

test('the built package alone serves the demo, a job up to its pull request, an answer and the dashboard', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-package-'))
  try {
    await promisify(execFile)(process.execPath, ['scripts/build-package.ts', join(folder, 'package')])
    // It compiles WebAssembly once only: it ends before faster code of the embedded database pays.
    const command = ['--liftoff-only', join(folder, 'package/bin/docwright.js'), 'serve']
    const tried = await tryServer(process.execPath, command, {
      cwd: folder,
      env: { HOME: folder, PATH: process.env['PATH'], PORT: '0' },
    })
    expect(tried.pullRequest).toContain('/projects/docwright/pulls/1')
    expect(tried.answer).toContain('repository')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test.each(['18.20.8', '20.17.0', '21.7.3', '22.7.0'])(
  'on Node %s the package says in one line what it needs',
  async (version) => {
    const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
    const started = promisify(execFile)(process.execPath, [
      '--import',
      `data:text/javascript,${encodeURIComponent(pretend)}`,
      'scripts/package/docwright.js',
    ])
    await expect(started).rejects.toMatchObject({
      code: 1,
      stderr: `Docwright needs Node 20.18, 22.8 or later; this is ${version} (${process.execPath})\n`,
    })
  },
)
