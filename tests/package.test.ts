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
    const tried = await tryServer(process.execPath, [join(folder, 'package/bin/docwright.js'), 'serve'], {
      cwd: folder,
      env: { HOME: folder, PATH: process.env['PATH'], PORT: '0' },
    })
    expect(tried.pullRequest).toContain('/projects/docwright/pulls/1')
    expect(tried.answer).toContain('repository')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
