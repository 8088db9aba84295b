import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { splitAtNul } from './decode-path.ts'
import { requireObjectId } from '../object-id.ts'
import type { Repository } from '../git.ts'
import { runGit } from '../process/run-git.ts'

/** `date` as `2026-11-22`. Author and subject are texts of strangers, on one line each. */
export interface LoggedCommit {
  id: string
  date: string
  author: string
  subject: string
}

interface Bounds {
  signal?: AbortSignal | undefined
}

const deadline = 20_000
const maxBytes = 2 * 1024 * 1024

/** The commits in `to` and not in `from`, newest first, at most `limit`; with `path` those that touched it. `follows`: through renames of that file. */
export async function logCommits(
  repository: Repository,
  input: {
    from?: string | undefined
    to: string
    path?: string | undefined
    follows?: boolean
    limit: number
  } & Bounds,
): Promise<LoggedCommit[]> {
  const { from, to, path, follows = false, limit, signal } = input
  const { stdout, truncated } = await runGit(repository.git, {
    args: [
      'log',
      '-z',
      '--no-show-signature',
      '--no-mailmap',
      '--no-decorate',
      '--encoding=UTF-8',
      '--format=tformat:%H%n%as%n%an%n%s',
      ...(follows && path !== undefined ? ['--follow', '--no-patch'] : []),
      '-n',
      String(limit),
      requireObjectId(to),
      ...(from === undefined ? [] : [`^${requireObjectId(from)}`]),
      '--',
      ...(path === undefined ? [] : [path]),
    ],
    folder: repository.folder,
    maxBytes,
    overflow: 'truncate',
    deadline,
    overdue: 'Reading the history takes too long: name a path, or a later commit to start from',
    signal,
  })
  const records = [...splitAtNul(stdout)].map((record) => record.toString('utf8').split('\n'))
  return records
    .slice(0, truncated ? -1 : undefined)
    .map(([id = '', date = '', author = '', subject = '']) => ({
      id: id.trim(),
      date,
      author: author.slice(0, 200).toWellFormed(),
      subject: subject.slice(0, 500).toWellFormed(),
    }))
}

/** The newest tags, newest first, with the day that they were made. */
export async function listTags(
  repository: Repository,
  { limit, signal }: { limit: number } & Bounds,
): Promise<{ name: string; date: string }[]> {
  const { stdout } = await runGit(repository.git, {
    args: [
      'for-each-ref',
      '--sort=-version:refname',
      '--sort=-creatordate',
      `--count=${limit}`,
      '--format=%(creatordate:short) %(refname:lstrip=2)',
      'refs/tags',
    ],
    folder: repository.folder,
    maxBytes,
    overflow: 'truncate',
    deadline,
    signal,
  })
  return stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line.length > 11)
    .map((line) => ({ date: line.slice(0, 10), name: line.slice(11) }))
}

/** The commit that an abbreviated id names; undefined where there is none, or more than one. */
export async function resolveAbbreviated(repository: Repository, id: string): Promise<string | undefined> {
  if (!/^[0-9a-f]{4,64}$/.test(id)) return undefined
  const { stdout, code } = await runGit(repository.git, {
    args: ['rev-parse', '--verify', '--quiet', '--end-of-options', `${id}^{commit}`],
    folder: repository.folder,
    answers: [1, 128],
    deadline,
  })
  return code === 0 ? stdout.toString().trim() : undefined
}

/** The last commit in `to` that was made before a time, such as `2026-03-01T00:00:00Z`. */
export async function commitBefore(
  repository: Repository,
  to: string,
  time: string,
): Promise<string | undefined> {
  const { stdout } = await runGit(repository.git, {
    args: ['rev-list', '-1', '--first-parent', `--before=${time}`, requireObjectId(to), '--'],
    folder: repository.folder,
    deadline,
  })
  return stdout.toString().trim() || undefined
}

/** Commits whose parents are not here: a shallow clone begins with them. */
export async function shallowCommits({ folder }: Repository): Promise<ReadonlySet<string>> {
  const text = await readFile(join(folder, 'shallow'), 'utf8').catch(() => '')
  return new Set(text.split('\n').filter((line) => line !== ''))
}

/** The id of the tree without files, which git knows without an object. */
export function emptyTree(like: string): string {
  return like.length === 64
    ? '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'
    : '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
}
