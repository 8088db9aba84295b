import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

/**
 * A bare repository with one commit of the given files on `main`. Its folder is written and its commit imported, since to
 * start git from a process as large as that of tests costs more than what git does then.
 */
export async function createBareRepository(files: Record<string, string>): Promise<string> {
  const bare = join(await mkdtemp(join(tmpdir(), 'docwright-repository-')), 'docs.git')
  for (const folder of ['hooks', 'objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
    await mkdir(join(bare, folder), { recursive: true })
  await writeFile(join(bare, 'HEAD'), 'ref: refs/heads/main\n')
  await writeFile(
    join(bare, 'config'),
    '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n',
  )
  const importing = run('git', ['-C', bare, 'fast-import', '--quiet', '--date-format=now'])
  importing.child.stdin?.end(
    [
      'commit refs/heads/main\ncommitter Test <test@example.com> now\n',
      block('Start\n'),
      ...Object.entries(files).map(
        ([path, content]) => `M 100644 inline ${JSON.stringify(path)}\n${block(content)}`,
      ),
    ].join(''),
  )
  await importing
  return bare
}

/** Text as the input of `git fast-import` has it. */
function block(content: string): string {
  return `data ${Buffer.byteLength(content)}\n${content}\n`
}
