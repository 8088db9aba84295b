import { isAncestor, mergeBase } from '../../../integrations/git/ancestry.ts'
import { commitTree } from '../../../integrations/git/commit-tree.ts'
import { listCommits } from '../../../integrations/git/list-commits.ts'
import { mergeContents } from '../../../integrations/git/merge-trees.ts'
import { json } from '../../../store/database.ts'
import type { PublicationColumn } from '../../../store/tables.ts'
import { requireOpenTurn } from '../turns/end-turn.ts'
import { appendEvents } from '../events.ts'
import { lockJob, updateJob } from '../jobs.ts'
import { describeChanges } from './pin-publication.ts'
import { TurnFailure } from '../turns/turn-failure.ts'
import type { StartedTurn, TurnRun } from '../turns/turn-run.ts'
import { readTurn, updateTurn } from '../turns/turns.ts'

const mostMoves = 3

/**
 * Makes the commit again on top of what people pushed to the branch while the agent worked, and pins that instead.
 * @throws TurnFailure `branch_moved` when both changed the same lines, the branch is gone, or it moves on and on
 */
export async function putOnTop(
  run: TurnRun,
  turn: StartedTurn,
  publication: PublicationColumn,
  head: string | undefined,
): Promise<PublicationColumn> {
  const { repository } = run.project
  const happened = head === undefined ? `${turn.branch} was deleted` : `Someone pushed to ${turn.branch}`
  const failure = new TurnFailure(
    'branch_moved',
    `${happened} while the agent worked, so its changes were not published. They are kept: send a message to go on from them`,
  )
  if (head === undefined || publication.moves >= mostMoves) throw failure
  const { commit: old } = publication
  const now = (await readTurn(run.ports.store.db, turn.row.id))?.publication
  if (now && now.commit !== old) return now
  const merged = await mergeContents(repository, {
    base: publication.onto ?? turn.branchCommit ?? turn.startCommit,
    ours: head,
    theirs: old,
  })
  const [written] = await listCommits(repository, { to: old, limit: 1 })
  if (!merged.clean || written === undefined) throw failure
  // The base came in by a merge: unless the new head has it too, it still does.
  const [, base] = turn.parents ?? []
  const brings = base !== undefined && !(await isAncestor(repository, base, head))
  const commit = await commitTree(repository, merged.tree, {
    parents: brings ? [head, base] : [head],
    message: written.message,
    author: run.ports.author,
    date: turn.startedAt,
  })
  const from = (await mergeBase(repository, turn.baseCommit, commit)) ?? turn.baseCommit
  const changes = await describeChanges(repository, from, commit)
  return run.ports.store.transaction(async (tx) => {
    await lockJob(tx, run.job.id)
    const row = await requireOpenTurn(tx, turn.row.id)
    // Another runner was quicker: its commit is the one.
    if (row.publication?.commit !== old) return row.publication ?? publication
    const next = { ...publication, commit, base: from, changes, onto: head, moves: publication.moves + 1 }
    await updateTurn(tx, row.id, { publication: json(next) })
    const message = `Someone pushed to ${turn.branch} meanwhile: the changes were put on top of that`
    await appendEvents(tx, run.job.id, row.n, [
      { type: 'branch.moved', data: { branch: turn.branch, head, message } },
    ])
    await updateJob(tx, run.job.id)
    return next
  })
}
