import { dayText } from '../../../lib/text/time-words.ts'
import { changedFiles } from '../../../integrations/git/trees/changed-files.ts'
import {
  commitBefore,
  emptyTree,
  listTags,
  logCommits,
  resolveAbbreviated,
  shallowCommits,
} from '../../../integrations/git/trees/commit-history.ts'
import { diffTrees } from '../../../integrations/git/trees/diff-trees.ts'
import type { Repository } from '../../../integrations/git/git.ts'
import { listCommits } from '../../../integrations/git/trees/list-commits.ts'
import { resolveReference } from '../../../integrations/git/resolve-reference.ts'
import { GitError } from '../../../integrations/git/process/run-git.ts'
import { AppError } from '../../../lib/errors.ts'
import { machineTrouble } from '../../../lib/machine-trouble.ts'
import { quote } from '../../../lib/text/quote.ts'
import type { History } from './base-tree.ts'

const maxTags = 2000
const maxFiles = 200
const maxDiffBytes = 30_000
const maxMessage = 4000

/** The history up to a commit of a mirror. Each request is one or a few git processes with a deadline. */
export function gitHistory(repository: Repository, commit: string): History {
  let tags: ReturnType<typeof listTags> | undefined
  const tagsOf = (): ReturnType<typeof listTags> => (tags ??= listTags(repository, { limit: maxTags }))
  const resolve = async (name: string, isStart: boolean): Promise<string> => {
    if (/^\d{4}-\d\d-\d\d$/.test(name)) {
      const earlier = await commitBefore(repository, commit, `${name}T00:00:00Z`)
      if (earlier !== undefined || isStart) return earlier ?? emptyTree(commit)
    }
    if (name === 'HEAD') return commit
    const known = (await referenceOf(repository, name)) ?? (await resolveAbbreviated(repository, name))
    if (known !== undefined) return known
    const versions = (await tagsOf()).filter((tag) => isVersion(tag.name, name))
    const [only] = versions
    const tagged =
      versions.length === 1 && only ? await resolveReference(repository, `refs/tags/${only.name}`) : undefined
    if (tagged !== undefined) return tagged
    const near = versions.length > 0 ? versions : (await tagsOf()).slice(0, 10)
    const names = near.slice(0, 10).map((tag) => quote(tag.name))
    throw new AppError(
      'not_found',
      `There is no single tag, branch, commit or day ${quote(name)}${names.length === 0 ? ': the repository has no tags' : `: tags are ${names.join(', ')}`}`,
    )
  }
  const history: History = {
    async log({ from, to, path, follows, limit }, signal) {
      const [start, end] = await Promise.all([
        from === undefined ? undefined : resolve(from, true),
        to === undefined ? commit : resolve(to, false),
      ])
      const wanted = path === '' ? undefined : path
      const range = { from: start === emptyTree(commit) ? undefined : start, to: end }
      const commits = await logCommits(repository, {
        ...range,
        path: wanted,
        follows,
        limit: limit + 1,
        signal,
      })
      const isShallow = (await shallowCommits(repository)).size > 0
      return { commits: commits.slice(0, limit), hasMore: commits.length > limit, isShallow }
    },
    tags: async (limit) => (await tagsOf()).slice(0, limit),
    async show(name, path) {
      const id = await resolve(name, false)
      const [found] = await listCommits(repository, { to: id, limit: 1 })
      if (found === undefined) throw new AppError('not_found', `There is no commit ${quote(name)}`)
      if ((await shallowCommits(repository)).has(id))
        throw new AppError(
          'not_found',
          `The history that was fetched begins with ${quote(name)}: what it changed is not known`,
        )
      const parent = found.parents[0] ?? emptyTree(id)
      const isInside = (file: string) => path === '' || file === path || file.startsWith(`${path}/`)
      const all = await changedFiles(repository, parent, id)
      const files = all.filter(
        (file) => isInside(file.path) || (file.oldPath !== undefined && isInside(file.oldPath)),
      )
      return {
        id,
        parent,
        date: dayText(found.date),
        author: found.author.name.slice(0, 200).toWellFormed(),
        message: found.message.slice(0, maxMessage).toWellFormed(),
        files: files.slice(0, maxFiles).map(({ path: file, oldPath, status, additions, deletions }) => ({
          path: file,
          oldPath,
          status,
          additions,
          deletions,
        })),
        filesLeftOut: Math.max(0, files.length - maxFiles),
      }
    },
    diff: ({ from, to, paths }, signal) =>
      diffTrees(repository, from, to, { maxBytes: maxDiffBytes, paths, signal }),
  }
  return {
    log: (...input) => explained(() => history.log(...input)),
    tags: (...input) => explained(() => history.tags(...input)),
    show: (...input) => explained(() => history.show(...input)),
    diff: (...input) => explained(() => history.diff(...input)),
  }
}

/** A mirror may lack objects, and a long history takes long: the model goes on without it. */
async function explained<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (machineTrouble(error)) throw error
    if (error instanceof GitError)
      throw new AppError(
        'not_found',
        'This part of the history was not fetched or cannot be read: go on without it',
        {
          cause: error,
        },
      )
    if (error instanceof AppError && error.code === 'unavailable')
      throw new AppError('too_large', error.message, { cause: error })
    throw error
  }
}

async function referenceOf(repository: Repository, name: string): Promise<string | undefined> {
  for (const folder of ['refs/tags', 'refs/heads']) {
    const plain = name.replace(/^(?:origin\/|refs\/(?:heads|tags)\/)/, '')
    const oid = await resolveReference(repository, `${folder}/${plain}`).catch(() => undefined)
    if (oid !== undefined) return oid
  }
  return undefined
}

/** Whether a tag is the version that a person names: `v2.14.0` or `app@2.14.0` for `2.14`. */
function isVersion(tag: string, name: string): boolean {
  const wanted = versionIn(name)
  return wanted !== '' && versionIn(tag) === wanted
}

/** From the first digit, without zeros at the end. */
function versionIn(text: string): string {
  const start = text.search(/\d/)
  let version = start === -1 ? '' : text.slice(start, start + 100)
  while (version.endsWith('.0')) version = version.slice(0, -2)
  return version
}
