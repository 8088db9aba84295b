import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DocsNotion } from '../../features/impact/docs-notion.ts'
import type { PastChange } from '../../features/impact/past-changes.ts'
import type { Repository } from '../../integrations/git/git.ts'
import { initialise } from '../../integrations/git/mirrors/initialise.ts'
import { runGit } from '../../integrations/git/process/run-git.ts'
import { changedEntries } from '../../integrations/git/trees/changed-entries.ts'
import { commitTree } from '../../integrations/git/trees/commit-tree.ts'
import { listCommits } from '../../integrations/git/trees/list-commits.ts'

/** The branch of a copy. */
export const branchOfCopy = 'main'

const deadline = 300_000

/**
 * A bare repository in `folder` whose one branch ends before a past change, or with the part of it that is no documentation. It
 * borrows objects, so that nothing is copied; no reference leads to anything later, and a fetch takes nothing else.
 * @returns the end of the branch, and the message of the change
 */
export async function copyBefore(
  source: Repository,
  folder: string,
  { commit, parent, kind }: PastChange,
  { isDocs }: DocsNotion,
): Promise<{ head: string; message: string }> {
  const [change] = await listCommits(source, { to: commit, limit: 1 })
  const message = change?.message.trim() || 'Change the code'
  const copy = await borrowObjects(source, folder, parent)
  if (kind === 'docs') {
    await pointBranch(copy, parent)
    return { head: parent, message }
  }
  const entries = (await changedEntries(source, parent, commit)).filter(({ path }) => !isDocs(path))
  const tree = await treeWith(copy, parent, entries)
  const head = await commitTree(copy, tree, {
    parents: [parent],
    message,
    author: {
      name: change?.author.name || 'Author',
      email: change?.author.email || 'author@localhost.invalid',
    },
    date: change?.date ?? new Date(0),
  })
  await pointBranch(copy, head)
  return { head, message }
}

/** A bare repository whose one branch ends at a commit of another one, which it borrows objects from. */
export async function copyUpTo(source: Repository, folder: string, commit: string): Promise<void> {
  await pointBranch(await borrowObjects(source, folder, commit), commit)
}

/** Tags up to `commit` come along: versions are part of what was known. */
async function borrowObjects(source: Repository, folder: string, commit: string): Promise<Repository> {
  const { git } = source
  const copy: Repository = { git, folder }
  const inSource = async (...args: string[]): Promise<string> =>
    (await runGit(git, { args, folder: source.folder, deadline })).stdout.toString('utf8').trim()
  await initialise(git, folder, {
    branch: branchOfCopy,
    format: commit.length === 64 ? 'sha256' : 'sha1',
  })
  const [objects = '', shallow = ''] = (
    await inSource('rev-parse', '--path-format=absolute', '--git-path', 'objects', '--git-path', 'shallow')
  ).split('\n')
  await mkdir(join(folder, 'objects/info'), { recursive: true })
  await writeFile(join(folder, 'objects/info/alternates'), `${objects}\n`)
  await copyFile(shallow, join(folder, 'shallow')).catch(() => undefined)
  const tags = await inSource(
    'for-each-ref',
    `--merged=${commit}`,
    '--format=%(objectname) %(refname)',
    'refs/tags',
  )
  const commands = tags.split('\n').flatMap((line) => {
    const [id = '', name = ''] = line.split(' ')
    return name === '' ? [] : `create ${name} ${id}\n`
  })
  if (commands.length > 0)
    await runGit(git, { args: ['update-ref', '--stdin'], folder, input: commands.join(''), deadline })
  return copy
}

async function pointBranch({ git, folder }: Repository, commit: string): Promise<void> {
  await runGit(git, { args: ['update-ref', `refs/heads/${branchOfCopy}`, commit], folder })
}

async function treeWith(
  { git, folder }: Repository,
  parent: string,
  entries: Awaited<ReturnType<typeof changedEntries>>,
): Promise<string> {
  await runGit(git, { args: ['read-tree', parent], folder, deadline })
  const records = entries.map(({ path, now }) =>
    now === undefined ? `0 ${'0'.repeat(parent.length)}\t${path}\0` : `${now.mode} ${now.oid}\t${path}\0`,
  )
  await runGit(git, {
    args: ['update-index', '-z', '--index-info'],
    folder,
    input: records.join(''),
    deadline,
  })
  // Objects of a submodule or of a partial clone are elsewhere.
  const { stdout } = await runGit(git, { args: ['write-tree', '--missing-ok'], folder, deadline })
  return stdout.toString().trim()
}
