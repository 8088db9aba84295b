import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copiesOf } from '../git/copies-of.ts'
import { importCommit } from '../git/import-commit.ts'
import { plainGit } from '../git/temporary-git.ts'

/** For tests: the bare repository of a fake host, as the host sees it. */
export interface FakeOrigin extends AsyncDisposable {
  folder: string
  /** The commit of a branch; undefined without it. */
  head: (branch: string) => string | undefined
  /** Commits a change of `path` on top of `from`, as `branch`. */
  push: (branch: string, path: string, content: string, from?: string) => void
  move: (branch: string, from: string, to: string) => void
  deleteBranch: (branch: string) => void
  /** With a merge commit that has the tree of the head. */
  merge: (base: string, commit: string) => void
  /** How many commits `head` has that `base` has not. */
  ahead: (base: string, head: string) => number
  /** Changed files since both parted; with the old name of a moved one. */
  changes: (base: string, head: string) => { status: string; old: string | undefined; new: string }[]
}

const fill = copiesOf(async (folder) => {
  plainGit(folder, ['init', '--quiet', '--bare', '--initial-branch=main'])
  importCommit(folder, { branch: 'main', path: 'index.md', content: 'one\n' })
})

/** @param upstream what it is a fork of: both see each other's commits, as on hosts */
export async function createFakeOrigin(upstream?: FakeOrigin): Promise<FakeOrigin> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'docwright-origin-')))
  await fill(folder)
  const git = (...args: string[]): string => plainGit(folder, args)
  if (upstream) {
    const pairs = [
      [folder, upstream.folder],
      [upstream.folder, folder],
    ] as const
    for (const [one, other] of pairs) {
      await writeFile(join(one, 'objects/info/alternates'), `${other}/objects\n`)
    }
  }
  return {
    folder,
    head: (branch) => readHead(folder, branch),
    push: (branch, path, content, from = 'main') => importCommit(folder, { branch, path, content, from }),
    move(branch, from, to) {
      const lines = git('ls-tree', branch).split('\n')
      const moved = lines.map((line) => line.replace(`\t${from}`, `\t${to}`))
      const tree = plainGit(folder, ['mktree'], moved.join('\n'))
      git('update-ref', `refs/heads/${branch}`, git('commit-tree', tree, '-m', `Move ${from}`, '-p', branch))
    },
    deleteBranch: (branch) => void git('update-ref', '-d', `refs/heads/${branch}`),
    merge(base, head) {
      const merged = git('commit-tree', `${head}^{tree}`, '-p', base, '-p', head, '-m', 'Merge')
      git('update-ref', `refs/heads/${base}`, merged)
    },
    ahead: (base, head) => Number(git('rev-list', '--count', `${base}..${head}`)),
    changes: (base, head) =>
      git('diff', '--name-status', '-M', `${base}...${head}`)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const [status = '', first = '', second] = line.split('\t')
          return { status, old: second === undefined ? undefined : first, new: second ?? first }
        }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Asked for with each answer of a host, so that no process is started for it. Nothing packs the references here. */
function readHead(folder: string, branch: string): string | undefined {
  if (existsSync(join(folder, 'packed-refs'))) throw new Error(`The references of ${folder} are packed`)
  try {
    return readFileSync(join(folder, 'refs/heads', branch), 'utf8').trim()
  } catch {
    return undefined
  }
}
