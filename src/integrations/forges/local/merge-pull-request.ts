import { isAncestor } from '../../git/trees/ancestry.ts'
import { commitTree, type Committer, type Person } from '../../git/trees/commit-tree.ts'
import { signOffBy, type SignOff } from '../../git/trees/sign-off.ts'
import { listCommits } from '../../git/trees/list-commits.ts'
import { mergeTrees } from '../../git/trees/merge-trees.ts'
import { checkoutOf, pushBranch } from '../../git/remotes/push-branch.ts'
import { isSameCommit, otherCommits } from '../merging.ts'
import { AppError } from '../../../lib/errors.ts'
import { endPullRequest, readBranches, syncPullRequest } from './pull-request-state.ts'
import type { LocalForgePorts, LocalProject } from './local-project.ts'
import { readPullRequest, type PullRequestRow } from './pull-requests.ts'

export interface Mergeability {
  /** `missing`: one of the branches was deleted. `checked_out`: somebody works on the base in the repository. */
  state: 'clean' | 'conflicts' | 'checked_out' | 'merged' | 'closed' | 'missing'
  /** Paths, of `conflicts` only. */
  conflicts: string[]
  /** What is in the way of merging, and what to do about it; undefined when nothing is, or when it has ended. */
  advice?: string | undefined
  /** Commits of the base that the branch does not have, counted up to `mostBehind`; absent when it has ended. */
  behind?: number | undefined
}

export const mostBehind = 100

/** The person who merges, as far as they want to be named in the commit. */
export interface Merger {
  name: string
  email?: string | undefined
  /** How the commit names somebody who has an e-mail address; by the name alone when not given. */
  credit?: 'author' | 'co-author' | undefined
}

const attempts = 3

/** What merging would do now. @throws AppError `not_found` */
export async function mergeability(
  ports: LocalForgePorts,
  project: LocalProject,
  number: number,
): Promise<Mergeability> {
  const row = await requirePullRequest(ports, project, number)
  if (row.state !== 'open') return { state: row.state, conflicts: [] }
  const { head, base } = await readBranches(project, row)
  if (head === undefined || base === undefined)
    return { state: 'missing', conflicts: [], advice: missingAdvice(row, head) }
  const merge = await mergeTrees(project.repository, base, head)
  const { length: behind } = await listCommits(project.repository, {
    from: head,
    to: base,
    limit: mostBehind,
  })
  if (!merge.clean) {
    const { conflicts } = merge
    return { state: 'conflicts', conflicts, advice: conflictAdvice(row, conflicts), behind }
  }
  const advice = await checkoutAdvice(project, row)
  return { state: advice === undefined ? 'clean' : 'checked_out', conflicts: [], advice, behind }
}

/**
 * Merges with a merge commit of its own, made without a checkout, and pushes it to the base branch.
 * @throws AppError `not_found`, or `conflict` with the reason and what to do about it
 */
export async function mergePullRequest(
  ports: LocalForgePorts,
  project: LocalProject,
  input: {
    number: number
    author: Committer
    by?: Merger | undefined
    signOff?: SignOff
    /** The commit that was looked at. */
    seen?: string | undefined
  },
): Promise<PullRequestRow> {
  for (let attempt = 1; ; attempt++) {
    const row = await requirePullRequest(ports, project, input.number)
    if (row.state !== 'open')
      throw new AppError('conflict', `Pull request ${row.number} is ${row.state} already`)
    const { head, base } = await readBranches(project, row)
    if (head === undefined || base === undefined) throw new AppError('conflict', missingAdvice(row, head))
    if (input.seen !== undefined && !isSameCommit(head, input.seen))
      throw new AppError('conflict', otherCommits)
    // It was merged by hand a moment ago. The next comparison records that.
    if (attempt < attempts && (await isAncestor(project.repository, head, base))) continue
    const merge = await mergeTrees(project.repository, base, head)
    if (!merge.clean) throw new AppError('conflict', conflictAdvice(row, merge.conflicts))
    const advice = await checkoutAdvice(project, row)
    if (advice !== undefined) throw new AppError('conflict', advice)
    const { author, trailer } = signOffBy(input.signOff ?? 'off', input.author, personOf(input.by))
    const commit = await commitTree(project.repository, merge.tree, {
      parents: [base, head],
      message: mergeMessage(row, input.by, trailer),
      author: authorOf(input.by) ?? author,
      committer: input.author,
      date: new Date(),
    })
    const result = await pushBranch(project.repository, project.remote, {
      branch: row.base,
      commit,
      expected: base,
    })
    if (result.state === 'moved' && attempt < attempts) continue
    if (result.state !== 'pushed' && result.state !== 'up_to_date') {
      throw new AppError('conflict', `The pull request was not merged. ${result.message}`)
    }
    return endPullRequest(
      ports,
      project.id,
      row,
      { state: 'merged', head_commit: head, merge_commit: commit },
      input.by?.name,
    )
  }
}

/** Somebody's name comes from outside, so it must not write a line of its own. */
function mergeMessage(row: PullRequestRow, by: Merger | undefined, signOff: string | undefined): string {
  const subject = `Merge pull request #${row.number} from ${row.head}\n\n${row.title}`
  const trailers = [credit(by, signOff), signOff].filter((line) => line !== undefined).join('\n')
  return trailers === '' ? subject : `${subject}\n\n${trailers}`
}

/** How the message names the person, where neither author nor sign-off does. */
function credit(by: Merger | undefined, signOff: string | undefined): string | undefined {
  if (by === undefined || authorOf(by)) return undefined
  const person = personOf(by)
  const named = person && `${oneLine(person.name)} <${oneLine(person.email)}>`
  if (named !== undefined && signOff === `Signed-off-by: ${named}`) return undefined
  return by.credit === 'co-author' && named !== undefined
    ? `Co-authored-by: ${named}`
    : `Merged-by: ${oneLine(by.name)}`
}

function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}<>\s]+/gu, ' ')
    .trim()
    .slice(0, 200)
}

function authorOf(by: Merger | undefined): Person | undefined {
  return by?.credit === 'author' ? personOf(by) : undefined
}

function personOf(by: Merger | undefined): Person | undefined {
  return by?.email === undefined ? undefined : { name: by.name, email: by.email }
}

function missingAdvice(row: PullRequestRow, head: string | undefined): string {
  const missing = head === undefined ? row.head : row.base
  return `The branch ${JSON.stringify(missing)} no longer exists: push it again, or close this`
}

function conflictAdvice({ head, base }: PullRequestRow, conflicts: readonly string[]): string {
  const more = conflicts.length > 10 ? ` and ${conflicts.length - 10} more` : ''
  return `${head} and ${base} both changed ${conflicts.slice(0, 10).join(', ')}${more}: send the job a follow-up that resolves it, or merge ${base} into ${head} by hand and push it`
}

// The files of a checkout are a person's, so that nothing here changes them, uncommitted work or not.
async function checkoutAdvice(
  { repository, remote }: LocalProject,
  { head, base }: PullRequestRow,
): Promise<string | undefined> {
  const folder = await checkoutOf(repository.git, remote, base)
  if (folder === undefined) return undefined
  return `Can’t merge into ${base} because it’s checked out in ${folder}, and Docwright never changes a working copy. Merge in that folder with "git merge --no-ff ${head}", which ends this as merged, or free the branch with "git switch --detach" and merge here`
}

async function requirePullRequest(
  ports: LocalForgePorts,
  project: LocalProject,
  number: number,
): Promise<PullRequestRow> {
  const row = await readPullRequest(ports.store.db, project.id, number)
  if (!row) throw new AppError('not_found', `Pull request ${number} not found`)
  return syncPullRequest(ports, project, row)
}
