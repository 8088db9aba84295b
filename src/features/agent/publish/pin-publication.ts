import { describeChanges } from '../workspace/tree-difference.ts'
import { mergeBase } from '../../../integrations/git/trees/ancestry.ts'
import { commitTree } from '../../../integrations/git/trees/commit-tree.ts'
import { resolveReference } from '../../../integrations/git/resolve-reference.ts'
import { writeTree } from '../../../integrations/git/trees/write-tree.ts'
import { json } from '../../../store/database.ts'
import type {
  CheckColumn,
  CodeChangeColumn,
  PublicationColumn,
  ViolationColumn,
} from '../../../store/columns.ts'
import { commitMessage, requestTitle } from '../outgoing/commit-message.ts'
import { codeSpan } from '../outgoing/print.ts'
import type { DocumentedChange } from '../outgoing/pull-request-body.ts'
import { writeMarkdown } from '../outgoing/write-markdown.ts'
import { requireOpenTurn } from '../turns/end-turn.ts'
import { peopleOf } from './askers.ts'
import { explainPages } from './explain-pages.ts'
import { lockJob, readJob, type JobRow } from '../jobs.ts'
import { conflictFailure, unresolvedConflicts } from '../workspace/merge-conflicts.ts'
import { openProblems } from './open-problems.ts'
import { readTemplate } from './read-template.ts'
import { relatedPullRequests } from './related-pull-requests.ts'
import type { TurnEnd } from '../turns/steps.ts'
import { isHeld } from '../workspace/toolbox.ts'
import { notPublished, TurnFailure, TurnLost } from '../turns/turn-failure.ts'
import { joinReasons } from '../page-reasons.ts'
import { earlierTurns, noLongerParked, publishedTurns, updateTurn, type TurnRow } from '../turns.ts'
import { describePullRequest, promptsOf } from './whole-pull-request.ts'
import type { StartedTurn, TurnRun, TurnTools } from '../turns/turn-run.ts'

/**
 * Makes the commit and stores it with the text of its pull request, so that every further attempt publishes the
 * same. Undefined when the turn changes nothing on its branch: a merge of the base alone is only published when that
 * was asked for.
 * @throws TurnFailure `conflict` while a conflict is not resolved, `policy` when the changes violate the policy
 */
export async function pinPublication(
  run: TurnRun,
  turn: StartedTurn,
  { workspace, toolbox }: Pick<TurnTools, 'workspace' | 'toolbox'>,
  end: TurnEnd,
): Promise<PublicationColumn | undefined> {
  const { repository } = run.project
  const changes = end.noChange ? [] : workspace.changes()
  if (changes.length === 0 && end.merges !== true) return undefined
  const unresolved = await unresolvedConflicts(workspace, turn.row.material)
  if (unresolved.length > 0) {
    const { code, message } = conflictFailure(run.job.base, unresolved)
    throw new TurnFailure(code, message)
  }
  const everyViolation = await toolbox.violations(run.signal)
  refuse(everyViolation)
  const tree = await writeTree(repository, { base: turn.startCommit, changes })
  const isMerge = tree === (await resolveReference(repository, turn.startCommit, 'tree'))
  if (isMerge && end.merges !== true) return undefined
  const since = await mergeBase(repository, turn.baseCommit, turn.startCommit)
  refuse((await toolbox.violationsOfTree?.({ from: turn.startCommit, tree, since }, run.signal)) ?? [])
  const newHosts = await toolbox.newHosts(run.signal)
  const title = requestTitle(end.title ?? run.job.title ?? '')
  const before = await earlierTurns(run.ports.store.db, turn.row)
  const { author, trailers } = await peopleOf(run, before, turn.row)
  const commit = await commitTree(repository, tree, {
    parents: turn.parents ?? [turn.startCommit],
    message: commitMessage({
      title,
      summary: end.summary,
      model: run.job.model,
      jobId: run.job.id,
      trailers,
    }),
    author,
    committer: run.ports.author,
    // The date is the turn's, so that repeating this with the same tree and parents gives the same commit.
    date: turn.startedAt,
  })
  // A commit with the start as its only parent has the same base as the start.
  const base =
    (turn.parents ? await mergeBase(repository, turn.baseCommit, commit) : since) ?? turn.baseCommit
  const { store } = run.ports
  const job = await readJob(store.db, run.job.id)
  if (!job) throw new TurnLost()
  const isFollowUp = job.pull_request?.state === 'open'
  const all = await describeChanges(repository, base, commit)
  const looked = toLookAt(everyViolation, job, all)
  const checks = [
    ...(end.leftOut?.violations ?? []).map(leftOutProblem),
    ...looked,
    ...(end.unproven ?? []).map(claimProblem),
    ...(await problemsOfBranch(run, job, { base, commit }, await toolbox.newProblems(run.signal))),
  ]
  const isDraft =
    end.draft === true || looked.length > 0 || checks.some(({ severity }) => severity === 'error')
  const own = base === turn.startCommit ? all : await describeChanges(repository, turn.startCommit, commit)
  const pages = await explainPages(run, turn.baseCommit, end, own)
  const paths = all.flatMap(({ path, oldPath }) => (oldPath === null ? path : [path, oldPath]))
  const related = await relatedPullRequests(run, paths)
  const earlier = publishedTurns(before, turn.branch)
  const description = describePullRequest(earlier, end)
  const body = await writeMarkdown({
    request: {
      summary: description,
      headings: headingsIn(await readTemplate(run, turn)),
      prompts: promptsOf(before, turn.row, turn.branch),
      changes: all,
      pages: joinReasons([...earlier.flatMap((one) => one.publication?.pages ?? []), ...pages]),
      checks,
      draft: isDraft,
      decided: end.decided,
      ready: isFollowUp && !job.draft_for_checks,
      newHosts: newHosts.slice(0, 200),
      conflicts: [...new Set([...earlier, turn.row].flatMap(conflictPaths))],
      related: related.map((one) => ({ ...one, link: one.link ?? pageOf(run, job.id, one.number) })),
      model: job.model,
      link: run.ports.jobLink(run.project, job.id),
      documents: [...earlier, turn.row].flatMap(({ material }) => documented(run, material?.change)),
      gap: job.gap_id ?? undefined,
    },
  })
  const publication: PublicationColumn = {
    commit,
    base,
    // The pull request keeps its first title, because a follow-up is only one of its commits.
    title: isFollowUp ? (job.title ?? title) : title,
    body,
    ...(description !== end.summary && { description }),
    summary: end.leftOut ? `${end.summary}\n\n${describeLeftOut(end.leftOut.violations)}` : end.summary,
    checks: checks.slice(0, 200),
    changes: all,
    draft: isDraft,
    ...(end.leftOut && { leftOut: end.leftOut.paths }),
    pages: pages.slice(0, 1000),
    onto: null,
    moves: 0,
  }
  return store.transaction(async (tx) => {
    await lockJob(tx, run.job.id)
    const row = await requireOpenTurn(tx, turn.row.id)
    if (row.publication) return row.publication
    await updateTurn(tx, row.id, { publication: json(publication), ...noLongerParked })
    return publication
  })
}

/** The page of a pull request of this server, which opens to people who may see it. */
function pageOf({ ports, project }: TurnRun, jobId: string, number: number): string {
  return new URL(`../pulls/${number}`, ports.jobLink(project, jobId)).href
}

function headingsIn(template: string | undefined): Record<string, number> {
  const lines = template?.split('\n').flatMap((line) => {
    const [, marks = '', text = ''] = /^(#{1,6}) (.{1,200})$/.exec(line.trimEnd()) ?? []
    return text === '' ? [] : [[text.replace(/\s#{1,6}$/, '').trim(), marks.length] as const]
  })
  return Object.fromEntries(lines ?? [])
}

// The pull request describes the whole branch: problems that earlier turns have left are problems of this one too.
async function problemsOfBranch(
  run: TurnRun,
  job: JobRow,
  { base, commit }: { base: string; commit: string },
  found: readonly CheckColumn[],
): Promise<CheckColumn[]> {
  const left = job.pull_request?.state === 'open' ? job.checks : []
  if (!left.some(({ severity }) => severity === 'error')) return [...found]
  const key = ({ check, path, line, message }: CheckColumn) => JSON.stringify([check, path, line, message])
  const known = new Set(found.map(key))
  const others = (
    await openProblems({ ...run, openToolbox: run.ports.openToolbox }, { base, commit })
  ).filter((problem) => !known.has(key(problem)))
  return [...found, ...others]
}

function leftOutProblem({ message, ...violation }: ViolationColumn): CheckColumn {
  return { ...violation, check: 'policy', severity: 'error', message: `Left out: ${message}`, hint: null }
}

function describeLeftOut(violations: readonly ViolationColumn[]): string {
  // As code, because a message quotes what stands in a file.
  const lines = violations.slice(0, 30).map(({ path, line, message }) => {
    return `- ${codeSpan(line === null ? path : `${path}:${line}`)}: ${codeSpan(message)}`
  })
  if (violations.length > 30) lines.push(`- and ${violations.length - 30} more`)
  return `Left out of what was published:\n\n${lines.join('\n')}`
}

function refuse(violations: readonly ViolationColumn[]): void {
  const held = violations.filter(isHeld)
  if (held.length > 0) throw notPublished(held)
}

/** What a person has to look at in this turn, and what earlier turns have left of it in files that are still changed. */
function documented(run: TurnRun, change: CodeChangeColumn | undefined): DocumentedChange[] {
  if (change === undefined) return []
  const { repository, parent: from, id: to, pages = [] } = change
  const link = run.project.addressOf?.({ repository: repository ?? undefined, commit: to, path: '' })
  return [{ repository, from, to, link, pages }]
}

function toLookAt(
  found: readonly ViolationColumn[],
  job: JobRow,
  changes: readonly { path: string }[],
): CheckColumn[] {
  const now = found
    .filter((one) => !isHeld(one))
    .map(({ path, line, message, approval }): CheckColumn => ({
      check: 'look',
      severity: 'warning',
      path,
      line,
      message,
      hint: null,
      ...(approval && { approval }),
    }))
  const left = job.checks.filter(
    ({ check, path, approval }) =>
      check === 'look' &&
      changes.some((one) => one.path === path) &&
      !now.some((one) => one.path === path && one.approval?.value === approval?.value),
  )
  return [...now, ...(job.pull_request?.state === 'open' ? left : [])]
}

/** What the description says and the changes do not show. */
function claimProblem(message: string): CheckColumn {
  return { check: 'claim', severity: 'warning', path: '', line: null, message, hint: null }
}

function conflictPaths({ material }: TurnRow): string[] {
  const conflicts = [
    ...(material?.merge?.state === 'merged' ? material.merge.conflicts : []),
    ...(material?.carried?.conflicts ?? []),
  ]
  return conflicts.filter(({ state }) => state === 'markers').map(({ path }) => path)
}

/**
 * The publication of an earlier turn that failed after its push and before its pull request was opened. A turn
 * without changes of its own publishes that. Undefined when there is none.
 */
export async function resumePublication(
  run: TurnRun,
  turn: StartedTurn,
  summary: string,
): Promise<PublicationColumn | undefined> {
  const { store } = run.ports
  const earlier = await earlierTurns(store.db, turn.row)
  // Turns in between may have failed for other reasons. A completed turn has published everything before it.
  const hasPublished = ({ status, outcome }: TurnRow) => status === 'completed' && outcome !== 'needs_input'
  const since = earlier.slice(earlier.findLastIndex(hasPublished) + 1)
  const left = since.findLast(({ publication }) => publication !== null)?.publication
  if (!left || left.commit !== turn.branchCommit) return undefined
  return store.transaction(async (tx) => {
    await lockJob(tx, run.job.id)
    const row = await requireOpenTurn(tx, turn.row.id)
    if (row.publication) return row.publication
    const publication = { ...left, summary }
    await updateTurn(tx, row.id, { publication: json(publication) })
    return publication
  })
}
