import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

/** @param upstream what it is a fork of: both see each other's commits, as on hosts */
export async function createFakeOrigin(upstream?: FakeOrigin): Promise<FakeOrigin> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'docwright-origin-')))
  const git = (...args: string[]): string => plainGit(folder, args)
  git('init', '--quiet', '--bare', '--initial-branch=main')
  if (upstream) {
    const pairs = [
      [folder, upstream.folder],
      [upstream.folder, folder],
    ] as const
    for (const [one, other] of pairs) {
      await writeFile(join(one, 'objects/info/alternates'), `${other}/objects\n`)
    }
  }
  const commit = (branch: string, lines: string[], path: string, content: string, parents: string[]) => {
    const blob = plainGit(folder, ['hash-object', '-w', '--stdin'], content)
    const others = lines.filter((line) => line !== '' && !line.endsWith(`\t${path}`))
    const tree = plainGit(folder, ['mktree'], [...others, `100644 blob ${blob}\t${path}`].join('\n'))
    git('update-ref', `refs/heads/${branch}`, git('commit-tree', tree, '-m', `Change ${path}`, ...parents))
  }
  commit('main', [], 'index.md', 'one\n', [])
  return {
    folder,
    head: (branch) => git('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`) || undefined,
    push: (branch, path, content, from = 'main') =>
      commit(branch, git('ls-tree', from).split('\n'), path, content, ['-p', from]),
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
