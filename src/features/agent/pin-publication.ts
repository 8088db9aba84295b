import { changedFiles } from '../../integrations/git/changed-files.ts'
import { mergeBase } from '../../integrations/git/ancestry.ts'
import { commitTree } from '../../integrations/git/commit-tree.ts'
import { resolveReference } from '../../integrations/git/resolve-reference.ts'
import { writeTree } from '../../integrations/git/write-tree.ts'
import { json } from '../../store/database.ts'
import type { ChangeColumn, PublicationColumn } from '../../store/tables.ts'
import { requireOpenTurn } from './end-turn.ts'
import { lockJob } from './jobs.ts'
import { pullRequestBody } from './pull-request-body.ts'
import type { TurnEnd } from './steps.ts'
import { titleOf } from './title.ts'
import { TurnFailure, TurnLost } from './turn-failure.ts'
import { earlierTurns, updateTurn } from './turns.ts'
import type { StartedTurn, TurnRun, TurnTools } from './turn-run.ts'

/**
 * Makes the commit and pins it with the text of its pull request: what is pushed from here on is the same however
 * often it is tried. Undefined when the turn changes nothing on its branch.
 * @throws TurnFailure `policy` when the changes do what is forbidden
 */
export async function pinPublication(
  run: TurnRun,
  turn: StartedTurn,
  { workspace, toolbox }: TurnTools,
  end: TurnEnd,
): Promise<PublicationColumn | undefined> {
  const { repository } = run.project
  const changes = end.noChange ? [] : workspace.changes()
  if (changes.length === 0) return undefined
  const violations = await toolbox.violations(run.signal)
  if (violations.length > 0) {
    throw new TurnFailure('policy', `The changes were not published: ${violations.slice(0, 10).join('; ')}`)
  }
  const tree = await writeTree(repository, { base: turn.startCommit, changes })
  if (tree === (await resolveReference(repository, turn.startCommit, 'tree'))) return undefined
  const checks = await toolbox.newProblems(run.signal)
  const title = titleOf(end.title ?? run.job.title ?? '')
  const commit = await commitTree(repository, tree, {
    parents: [turn.startCommit],
    message: `${title}\n\n${end.summary}\n\nGenerated-by: Docwright (${run.job.model})`,
    author: run.ports.author,
    // The turn's own date: the same tree on the same parent is the same commit, whoever makes it and when.
    date: turn.startedAt,
  })
  const base = (await mergeBase(repository, turn.baseCommit, commit)) ?? turn.baseCommit
  const all = await describeChanges(run, base, commit)
  const { store } = run.ports
  const earlier = await earlierTurns(store.db, turn.row)
  return store.transaction(async (tx) => {
    const job = await lockJob(tx, run.job.id)
    const row = await requireOpenTurn(tx, turn.row.id)
    if (!job) throw new TurnLost()
    if (row.publication) return row.publication
    const isFollowUp = job.pull_request?.state === 'open'
    const publication: PublicationColumn = {
      commit,
      base,
      // The pull request keeps the title it was opened with; a follow-up is one of its commits.
      title: isFollowUp ? (job.title ?? title) : title,
      body: pullRequestBody({
        turns: [
          ...earlier.filter(
            (one) => one.branch === turn.branch && one.publication !== null && one.status === 'completed',
          ),
          { ...row, summary: end.summary },
        ],
        changes: all,
        checks,
        model: job.model,
        link: run.ports.jobLink(run.project, job.id),
      }),
      summary: end.summary,
      checks: checks.slice(0, 200),
      changes: all,
    }
    await updateTurn(tx, row.id, { publication: json(publication) })
    return publication
  })
}

async function describeChanges(run: TurnRun, from: string, to: string): Promise<ChangeColumn[]> {
  const files = await changedFiles(run.project.repository, from, to)
  return files.slice(0, 5000).map((file) => ({
    path: file.path,
    oldPath: file.oldPath ?? null,
    status: file.status === 'type_changed' ? 'modified' : file.status,
    additions: file.additions,
    deletions: file.deletions,
  }))
}
