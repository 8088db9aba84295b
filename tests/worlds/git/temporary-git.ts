import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createGit, type Git } from '../../../src/integrations/git/git.ts'
import { runGitAndWait } from './waiting-git.ts'

/** For tests: an empty folder that is removed afterwards. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'docwright-git-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** For tests: our git, in a data folder of its own. */
export async function temporaryGit(): Promise<{ git: Git; folder: string }> {
  const folder = await temporaryFolder()
  return { git: await createGit({ dataFolder: join(folder, 'data'), environment: process.env }), folder }
}

/** For tests: git as a person would run it, without our code. */
export function plainGit(folder: string, args: readonly string[], input: string | Buffer = ''): string {
  const { code, stdout, stderr } = runGitAndWait({
    args: ['-C', folder, ...args],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Someone',
      GIT_AUTHOR_EMAIL: 'someone@example.com',
      GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
      GIT_COMMITTER_NAME: 'Someone',
      GIT_COMMITTER_EMAIL: 'someone@example.com',
      GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
    },
    input: Buffer.from(input).toString('base64'),
  })
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout.trimEnd()
}

/** For tests: an identity to commit with. */
export const someone = { name: 'Someone', email: 'someone@example.com' }

export function text(content: string): Uint8Array {
  return Buffer.from(content)
}
