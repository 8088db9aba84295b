import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** git as a person uses it, in a folder; standard output without the newline at its end. */
export async function git(folder: string, ...words: string[]): Promise<string> {
  const { stdout } = await run('git', [
    '-C',
    folder,
    '-c',
    'user.name=Test',
    '-c',
    'user.email=test@example.com',
    ...words,
  ])
  return stdout.trimEnd()
}

/** A bare repository with one commit of the given files on `main`. */
export async function createBareRepository(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-repository-'))
  const work = join(folder, 'work')
  await run('git', ['init', '-q', '-b', 'main', work])
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(work, path)), { recursive: true })
    await writeFile(join(work, path), content)
  }
  await git(work, 'add', '-A')
  await git(work, 'commit', '-q', '-m', 'Start')
  const bare = join(folder, 'docs.git')
  await run('git', ['clone', '-q', '--bare', work, bare])
  return bare
}
