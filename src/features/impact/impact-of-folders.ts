import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGit, type Git, type Repository } from '../../integrations/git/git.ts'
import { findRepository, requireCommit } from '../../integrations/git/working-copy.ts'
import { emptyTree } from '../../integrations/git/trees/commit-history.ts'
import { listCommits } from '../../integrations/git/trees/list-commits.ts'
import { mergeBase } from '../../integrations/git/trees/ancestry.ts'
import { AppError } from '../../lib/errors.ts'
import { assessRange, type RangeImpact } from './assess-range.ts'
import type { ReadMap } from './read-map.ts'
import { createImpactThread } from './impact-thread.ts'
import { pathEnds } from '../../site/text/paths.ts'

/**
 * What commits touch in the documentation, for working copies on this machine. Nothing is written there.
 * @param input.range a commit or `from..to`, of `code` where that is given
 * @param input.docs the working copy of the documentation
 * @throws AppError `invalid` for a folder, root or commit that does not exist
 */
export async function impactOfFolders(input: {
  range: string
  docs: string
  code: string | undefined
  /** The commit of the documentation that is looked at, where the code is in another repository; its newest one when absent. */
  docsAt: string | undefined
  root: string
  /** The range as one change. */
  isWhole?: boolean
  environment: Readonly<Record<string, string | undefined>>
  onProgress?: (done: number, total: number) => void
}): Promise<RangeImpact> {
  const scratch = await mkdtemp(join(tmpdir(), 'docwright-impact-'))
  const thread = createImpactThread()
  try {
    const git = await createGit({ dataFolder: scratch, environment: input.environment })
    const docs = await requireRepository(git, input.docs)
    const code = input.code === undefined ? docs : await requireRepository(git, input.code)
    const change = await rangeIn(code, input.range)
    return await assessRange(thread, {
      code: { repository: code, ...change },
      docs: {
        repository: docs,
        root: rootOf(input.root),
        commit: code.folder === docs.folder ? undefined : await requireCommit(docs, input.docsAt ?? 'HEAD'),
      },
      signal: new AbortController().signal,
      isWhole: input.isWhole ?? false,
      ...(input.onProgress && { onProgress: input.onProgress }),
    })
  } finally {
    thread.stop()
    await rm(scratch, { recursive: true, force: true })
  }
}

/** What history says of code and pages in a working copy on this machine. */
export async function mapOfFolder(input: {
  folder: string
  root: string
  environment: Readonly<Record<string, string | undefined>>
}): Promise<ReadMap> {
  const scratch = await mkdtemp(join(tmpdir(), 'docwright-impact-'))
  try {
    const git = await createGit({ dataFolder: scratch, environment: input.environment })
    const repository = await requireRepository(git, input.folder)
    const commit = await requireCommit(repository, 'HEAD')
    // Other commands need nothing of what it loads.
    const { readMap } = await import('./read-map.ts')
    const { signal } = new AbortController()
    return await readMap({ repository, commit, root: rootOf(input.root) }, signal)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

function rootOf(root: string): string {
  const plain = root.replace(pathEnds, '')
  return plain === '.' ? '' : plain
}

async function requireRepository(git: Git, folder: string): Promise<Repository> {
  const repository = await findRepository(git, folder)
  if (repository === undefined) throw new AppError('invalid', `${folder} is in no git repository`)
  return repository
}

async function rangeIn(repository: Repository, range: string): Promise<{ from: string; to: string }> {
  const [first = '', last] = range.split(/\.{2,3}/)
  if (last === undefined) {
    const to = await requireCommit(repository, first)
    const [commit] = await listCommits(repository, { to, limit: 1 })
    return { from: commit?.parents[0] ?? emptyTree(to), to }
  }
  const [start, to] = [
    await requireCommit(repository, first),
    await requireCommit(repository, last || 'HEAD'),
  ]
  return { from: (await mergeBase(repository, start, to)) ?? start, to }
}
