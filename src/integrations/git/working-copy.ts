import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, readFile, readdir, readlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { AppError } from '../../lib/errors.ts'
import type { Git, Repository } from './git.ts'
import { runGit } from './process/run-git.ts'
import { decodePath, splitAtNul } from './trees/decode-path.ts'
import { isAttack } from './trees/safe-path.ts'
import { linkTarget, mostSteps } from './trees/tree-files.ts'

/** The files of a folder as they are now, committed or not. */
export interface WorkingCopy {
  folder: string
  /** Undefined where the folder is in no git repository. */
  repository: Repository | undefined
  /** Paths of files without those that git ignores, with the ids that git gives their contents; a link to a file of the copy is that file. */
  files: ReadonlyMap<string, string>
}

/** Bytes; larger files have an id of their own and cannot be read. */
const maximumBytes = 4 * 1024 * 1024
const mostFiles = 500_000

/** Reads which files a working copy has. A folder inside a repository stands for the whole of it. */
export async function openWorkingCopy(git: Git, folder: string): Promise<WorkingCopy> {
  const start = resolve(folder)
  const stats = await lstat(start).catch(() => undefined)
  if (stats?.isDirectory() !== true) throw new AppError('invalid', `There is no folder ${start}`)
  const top = await findTop(start)
  const repository = top && { git, folder: top.gitFolder }
  const paths =
    repository === undefined ? await walk(start) : await listFiles(repository, top?.folder ?? start)
  const files = new Map<string, string>()
  const folders: Folders = new Map()
  for (const path of paths) {
    const oid = await idOf(top?.folder ?? start, path, folders)
    if (oid !== undefined) files.set(path, oid)
  }
  return { folder: top?.folder ?? start, repository, files }
}

/** The content of a file of a working copy; undefined when it is gone, too large or no regular file of it. */
export async function readWorkingFile(folder: string, path: string): Promise<Uint8Array | undefined> {
  const file = await findFile(folder, path, new Map())
  return file === undefined || file.stats.size > maximumBytes ? undefined : read(folder, file.path)
}

function read(folder: string, path: string): Promise<Buffer | undefined> {
  return readFile(join(folder, path)).catch(() => undefined)
}

/** Whether a path is a folder of the working copy, for those that were looked at. */
type Folders = Map<string, boolean>

/** A regular file that the working copy itself holds: a link in the place of one of its folders may lead anywhere. */
async function findFile(
  top: string,
  path: string,
  folders: Folders,
  steps = 0,
): Promise<{ path: string; stats: Stats } | undefined> {
  // The index of a copy that somebody else has made may name any path.
  if (isAttack(path, '100644')) return undefined
  const names = path.split('/')
  for (let depth = 1; depth < names.length; depth++) {
    const folder = names.slice(0, depth).join('/')
    const isFolder = folders.get(folder) ?? (await look(top, folder))?.isDirectory() === true
    folders.set(folder, isFolder)
    if (!isFolder) return undefined
  }
  const stats = await look(top, path)
  if (stats?.isFile() === true) return { path, stats }
  if (stats?.isSymbolicLink() !== true || steps >= mostSteps) return undefined
  const target = linkTarget(path, await readlink(join(top, path)).catch(() => '/'))
  return target === undefined ? undefined : findFile(top, target, folders, steps + 1)
}

function look(top: string, path: string): Promise<Stats | undefined> {
  return lstat(join(top, path)).catch(() => undefined)
}

async function findTop(start: string): Promise<{ folder: string; gitFolder: string } | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    const path = join(folder, '.git')
    const stats = await lstat(path).catch(() => undefined)
    if (stats?.isDirectory() === true) return { folder, gitFolder: path }
    // A worktree or a submodule: a file names the git folder.
    const named =
      stats?.isFile() === true ? /^gitdir: (.+)$/m.exec(await readFile(path, 'utf8'))?.[1] : undefined
    if (named !== undefined) return { folder, gitFolder: resolve(folder, named.trim()) }
    if (folder === dirname(folder)) return undefined
  }
}

async function listFiles(repository: Repository, folder: string): Promise<string[]> {
  const { stdout } = await runGit(repository.git, {
    args: ['--work-tree', folder, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    folder: repository.folder,
    maxBytes: 256 * 1024 * 1024,
    deadline: 300_000,
  })
  return [...new Set([...splitAtNul(stdout)].flatMap((record) => decodePath(record) ?? []))]
}

/** Hidden folders that belong to a site: its configuration, its pictures. */
const ofSites = /^\.(?:vitepress|gitbook)$/
const builtOfSites = /(?:^|\/)\.vitepress\/(?:cache|dist)$/

/** Without git, everything but other hidden folders, installed packages and what was built. */
async function walk(top: string): Promise<string[]> {
  const paths: string[] = []
  const waiting = ['']
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of await readdir(join(top, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isFile() || entry.isSymbolicLink()) paths.push(path)
      else if (!entry.isDirectory() || builtOfSites.test(path)) continue
      else if (ofSites.test(entry.name) || !/^(?:\.|node_modules$)/.test(entry.name)) waiting.push(path)
    }
    if (paths.length > mostFiles)
      throw new AppError('too_large', `${top} has more than ${mostFiles} files; name the folder of the pages`)
  }
  return paths.sort()
}

async function idOf(top: string, path: string, folders: Folders): Promise<string | undefined> {
  const file = await findFile(top, path, folders)
  if (file === undefined) return undefined
  const { size, mtimeMs } = file.stats
  if (size > maximumBytes) return `large-${size}-${mtimeMs}`
  const content = await read(top, file.path)
  if (content === undefined) return undefined
  return createHash('sha1').update(`blob ${content.byteLength}\0`).update(content).digest('hex')
}

/** The repository that a folder of a working copy is in, or that a bare folder is. */
export async function findRepository(git: Git, folder: string): Promise<Repository | undefined> {
  const start = resolve(folder)
  const isBare =
    (await look(start, 'HEAD'))?.isFile() === true && (await look(start, 'objects'))?.isDirectory() === true
  const gitFolder = isBare ? start : (await findTop(start))?.gitFolder
  return gitFolder === undefined ? undefined : { git, folder: gitFolder }
}

/**
 * The commit that a person names: a branch, a tag, an id or its beginning.
 * @throws AppError `invalid` when the repository does not have it
 */
export async function requireCommit(repository: Repository, name: string): Promise<string> {
  const commit = await askGit(
    repository,
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${name}^{commit}`,
  )
  if (commit !== undefined) return commit
  throw new AppError(
    'invalid',
    `The repository has no commit ${JSON.stringify(name)}; fetch it first (a CI job may have cloned only the newest commit)`,
  )
}

/**
 * The commit at which the work on this copy began: where its history leaves that of `reference`, such as `origin/main`.
 * @throws AppError `invalid` when the repository does not have it
 */
export async function branchingPoint(repository: Repository, reference: string): Promise<string> {
  const commit = await requireCommit(repository, reference)
  return (await askGit(repository, 'merge-base', commit, 'HEAD')) ?? commit
}

async function askGit(repository: Repository, ...args: string[]): Promise<string | undefined> {
  const { stdout, code } = await runGit(repository.git, {
    args,
    folder: repository.folder,
    answers: [1, 128],
  })
  return code === 0 ? stdout.toString().trim() : undefined
}
