import type { Repository } from '../../integrations/git/git.ts'
import { emptyTree } from '../../integrations/git/trees/commit-history.ts'
import { listCommits } from '../../integrations/git/trees/list-commits.ts'
import type { TextThread } from '../../lib/threads/text-thread.ts'
import { combine, type CommitReport, type RangeReport } from '../../site/impact/combine.ts'
import { withoutSettled, type StillTrue } from '../../site/impact/still-true.ts'
import type { LeftOutPages } from '../../site/impact/choose-pages.ts'
import { assessChange, type DocsPlace } from './assess-change.ts'
import type { ImpactThreadContract } from './impact-thread.ts'

/** What a commit, or all commits of a range, touch in the documentation. */
export interface RangeImpact extends RangeReport {
  from: string
  to: string
  /** Commits that were looked at one by one; 1 where the range was looked at as a whole. */
  commits: number
  leftOut: LeftOutPages[]
  compared: number
  mapProblem: string | undefined
  /** Pages that are left out, because people found them still true. */
  stillTrue: number
}

/** More commits are looked at as one change. */
const mostCommits = 60

/**
 * Ranks pages commit by commit, and takes what says most of each.
 * @param input.docs its state before each commit where it has no `commit`
 * @throws ThreadFailure for texts that take too long, and errors of git
 */
export async function assessRange(
  thread: TextThread<ImpactThreadContract>,
  {
    code: { repository, from, to },
    docs,
    signal,
    isWhole = false,
    onProgress,
    settled = () => Promise.resolve([]),
  }: {
    code: { repository: Repository; from: string; to: string }
    docs: Omit<DocsPlace, 'commit'> & { commit: string | undefined }
    signal: AbortSignal
    /** As one change: what a later commit takes back counts for nothing. */
    isWhole?: boolean
    onProgress?: (done: number, total: number) => void
    /** What people said of these pages. */
    settled?: (paths: string[]) => Promise<StillTrue[]>
  },
): Promise<RangeImpact> {
  const changes = isWhole ? [{ from, to }] : await changesIn(repository, from, to)
  const reports = []
  for (const [done, change] of changes.entries()) {
    onProgress?.(done, changes.length)
    const place = { ...docs, commit: docs.commit ?? change.from }
    reports.push(await assessChange(thread, { code: { repository, ...change }, docs: place, signal }))
  }
  const edited = new Set(reports.flatMap((one) => one.edited))
  const last = reports[0]
  const all = reports.map((report) => ({ to: report.to, report }))
  const paths = pathsOf(all, edited)
  const open = withoutSettled(all, paths.size === 0 ? [] : await settled([...paths]))
  return {
    ...combine(open, edited),
    stillTrue: paths.size - pathsOf(open, edited).size,
    from,
    to,
    commits: changes.length,
    leftOut: last?.leftOut ?? [],
    compared: last?.compared ?? 0,
    mapProblem: last?.mapProblem,
  }
}

function pathsOf(reports: readonly CommitReport[], edited: ReadonlySet<string>): Set<string> {
  const paths = reports.flatMap(({ report }) => report.pages.map(({ path }) => path))
  return new Set(paths.filter((path) => !edited.has(path)))
}

/** Each commit with the one before it, newest first. Merges bring nothing of their own. */
async function changesIn(
  repository: Repository,
  from: string,
  to: string,
): Promise<{ from: string; to: string }[]> {
  if (from === emptyTree(from)) return [{ from, to }]
  const commits = await listCommits(repository, { from, to, limit: mostCommits * 2 })
  const own = commits.flatMap(({ id, parents: [parent, ...others] }) =>
    parent === undefined || others.length > 0 ? [] : [{ from: parent, to: id }],
  )
  return own.length === 0 || own.length > mostCommits || commits.length >= mostCommits * 2
    ? [{ from, to }]
    : own
}
