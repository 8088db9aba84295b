import type { Repository } from '../../../integrations/git/git.ts'
import { resolveReference } from '../../../integrations/git/resolve-reference.ts'
import { runGit } from '../../../integrations/git/process/run-git.ts'
import { changedFiles } from '../../../integrations/git/trees/changed-files.ts'
import { listCommits, type Commit } from '../../../integrations/git/trees/list-commits.ts'

/** What this server itself has made in a repository. */
export interface OwnWork {
  /** E-mail addresses, in lower case, by which it commits. */
  emails: ReadonlySet<string>
  /** The newest commits of its jobs' branches. */
  heads: readonly string[]
  /** Pull requests of its jobs. */
  numbers: ReadonlySet<number>
}

/** A branch that has moved. */
export interface Move {
  branch: string
  from: string
  to: string
}

/** What people have done in a move. */
export interface DescribedMove {
  /** The first line of the newest commit of a person; undefined where no person has committed anything. */
  title: string | undefined
  /** One of its commits says that it is a feature or breaks something. */
  isNotable: boolean
  /** Pull requests of people that it merged, the oldest first. */
  merged: { number: number; from: string; to: string; title: string; isNotable: boolean }[]
  paths: readonly string[]
}

const mostCommits = 300
const longestTitle = 200

/** Reads what a move brought, without what this server and other programs did. */
export async function describeMove(
  repository: Repository,
  { from, to }: Move,
  own: OwnWork,
): Promise<DescribedMove> {
  const isKnown = (await resolveReference(repository, from)) !== undefined
  const [tip] = await listCommits(repository, { to, limit: 1 })
  const start = isKnown ? from : tip?.parents[0]
  if (start === undefined) return { title: undefined, isNotable: false, merged: [], paths: [] }
  const range = { from: start, to, limit: mostCommits }
  const isOwnMerge = (commit: Commit): boolean => own.numbers.has(numberOf(commit) ?? 0)
  const commits = await listCommits(repository, { ...range, without: own.heads })
  const theirs = commits.filter(
    (commit) => commit.parents.length < 2 && isOfPerson(commit, own) && !isOwnMerge(commit),
  )
  const ids = new Set(theirs.map(({ id }) => id))
  const merged: DescribedMove['merged'] = []
  for (const commit of await listCommits(repository, { ...range, firstParent: true })) {
    const number = numberOf(commit)
    const [parent, side] = commit.parents
    if (number === undefined || parent === undefined || own.numbers.has(number)) continue
    const brought = side === undefined ? [commit] : await listCommits(repository, { from: parent, to: side })
    if (!brought.some(({ id }) => ids.has(id))) continue
    const title = titleOf(commit, side !== undefined)
    merged.push({ number, from: parent, to: commit.id, title, isNotable: isNotable(title) })
  }
  const [newest] = theirs
  const files = newest === undefined ? [] : await changedFiles(repository, start, to)
  return {
    title: newest && titleOf(newest, false),
    isNotable: theirs.some(
      (commit) => isNotable(titleOf(commit, false)) || commit.message.includes('\nBREAKING CHANGE'),
    ),
    merged: merged.toReversed(),
    paths: files.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath])),
  }
}

/** The newest tag before a commit. */
export async function tagBefore(repository: Repository, commit: string): Promise<string | undefined> {
  const { stdout, code } = await runGit(repository.git, {
    args: ['describe', '--tags', '--abbrev=0', `${commit}^`],
    folder: repository.folder,
    answers: [128],
  })
  return code === 0 ? stdout.toString().trim() : undefined
}

function isOfPerson({ author: { name, email } }: Commit, { emails }: OwnWork): boolean {
  const address = email.toLowerCase()
  return !emails.has(address) && !name.endsWith('[bot]') && !address.includes('[bot]@')
}

// What hosts write when they merge. It only says what the commit is called: what it brought is read from git.
const mergeWords = [
  /^Merge pull request #(\d{1,9})\b/,
  /^Merged in .{1,200} \(pull request #(\d{1,9})\)/,
  /\(#(\d{1,9})\)$/,
  /\(!(\d{1,9})\)$/,
]

function numberOf({ message }: Commit): number | undefined {
  const subject = message.slice(0, 500).split('\n', 1)[0] ?? ''
  for (const words of mergeWords) {
    const number = words.exec(subject)?.[1]
    if (number !== undefined) return Number(number)
  }
  const last = message.slice(-300).split('\n').at(-1) ?? ''
  const number = /^See merge request \S{0,200}!(\d{1,9})$/.exec(last)?.[1]
  return number === undefined ? undefined : Number(number)
}

/** As conventional commits write it, or in plain words. */
function isNotable(title: string): boolean {
  return /^(?:feat|feature)(?:\([^)]{1,60}\))?!?:|^\w{1,20}(?:\([^)]{1,60}\))?!:|\bbreaking\b/i.test(title)
}

/** Hosts write the title of a pull request below the first line of its merge. */
function titleOf({ message }: Commit, isMerge: boolean): string {
  const lines = message.split('\n').filter((line) => line.trim() !== '')
  const title = (isMerge ? lines[1] : undefined) ?? lines[0] ?? ''
  return title
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, longestTitle)
}
