import { setTimeout as delay } from 'node:timers/promises'
import { isAncestor, mergeBase } from '../../../integrations/git/trees/ancestry.ts'
import { fetchMirror } from '../../../integrations/git/mirrors/fetch-mirror.ts'
import { isSurelyInTheWay } from '../../../integrations/git/branch-prefix.ts'
import { findBlockingAt } from '../../../integrations/git/remotes/find-blocking.ts'
import { pushBranch, type PushResult } from '../../../integrations/git/remotes/push-branch.ts'
import { resolveReference } from '../../../integrations/git/resolve-reference.ts'
import type { PublicationColumn } from '../../../store/columns.ts'
import { lockJob, prefixOf, updateJob } from '../jobs.ts'
import { requireOpenTurn } from '../turns/end-turn.ts'
import { recordPublication, recordPullRequestState, withNote } from './record-publication.ts'
import { ensurePullRequest } from './pull-request.ts'
import { reportProgress } from '../turns/report-progress.ts'
import type { StartedTurn, TurnRun } from '../turns/turn-run.ts'
import { commitTree } from '../../../integrations/git/trees/commit-tree.ts'
import { listCommits } from '../../../integrations/git/trees/list-commits.ts'
import { mergeContents } from '../../../integrations/git/trees/merge-trees.ts'
import { json } from '../../../store/database.ts'
import { appendEvents } from '../events.ts'
import { describeChanges } from '../workspace/tree-difference.ts'
import { branchInTheWay, TurnFailure } from '../turns/turn-failure.ts'
import { readTurn, updateTurn } from '../turns.ts'

const pushes = 5

/**
 * Pushes the pinned commit, opens or updates its pull request, and records both. Every part can be repeated: when a
 * runner dies at any point, another one repeats all of it with the same result.
 */
export async function publish(run: TurnRun, turn: StartedTurn, pinned: PublicationColumn): Promise<void> {
  const publication = await push(run, turn, pinned)
  if (run.forge.branchesOnly) {
    await recordPublication(run, turn, branchAlone(turn, publication), undefined)
    return
  }
  const { request, publication: recorded } = await ensurePullRequest(run, turn, publication)
  await recordPublication(run, turn, recorded, request)
  // A person may have merged it before it was recorded. The turn has ended: if the host does not answer now,
  // following its pull requests records the state later.
  const now = await run.forge.read(request.number, { within: 1000 }).catch(() => undefined)
  if (now === undefined || now.state === request.state) return
  await run.ports.store.transaction((tx) => recordPullRequestState(tx, run.job.id, now))
}

// Returns the pinned publication, or its replacement because people pushed meanwhile.
async function push(run: TurnRun, turn: StartedTurn, pinned: PublicationColumn): Promise<PublicationColumn> {
  const { repository, remote } = run.project
  const { branch } = turn
  let publication = pinned
  for (let attempt = 1; ; attempt++) {
    run.signal.throwIfAborted()
    const { commit } = publication
    const expected = publication.onto ?? turn.branchCommit
    const result = await reportProgress(run, turn.row, 'pushing', (onProgress) =>
      pushBranch(repository, remote, { branch, commit, expected, onProgress }),
    )
    if (result.state === 'pushed' || result.state === 'up_to_date') return publication
    // The branch may have moved because another runner has already published this turn and the next one.
    await run.ports.store.transaction(async (tx) => {
      await lockJob(tx, run.job.id)
      await requireOpenTurn(tx, turn.row.id)
    })
    if (expected === undefined) await requirePossible(run, branch, result)
    if (result.state !== 'moved') throw pushFailure(result.message, prefixOf(run.job.id, branch))
    await fetchMirror(repository, remote, { signal: run.signal })
    const now = await resolveReference(repository, `refs/heads/${branch}`)
    if (now !== undefined && (await isAncestor(repository, commit, now))) return publication
    if (now !== expected || attempt === pushes) {
      publication = await rebasePublication(run, turn, publication, now === expected ? undefined : now)
    } else {
      // The branch has not moved: two pushes collided at its lock file.
      await delay(100 * attempt, undefined, { signal: run.signal })
    }
  }
}

// Hosts say in different words that another branch is in the way of a new one, or that somebody else has moved it.
async function requirePossible(
  { project, job, signal }: TurnRun,
  branch: string,
  { state, message }: Exclude<PushResult, { state: 'pushed' | 'up_to_date' }>,
): Promise<void> {
  const { repository, remote } = project
  const prefix = prefixOf(job.id, branch)
  const blocking = await findBlockingAt(repository.git, remote, branch).catch(() => undefined)
  signal.throwIfAborted()
  if (blocking === undefined) return
  // A name that differs in case only is no reason on most hosts.
  const isReason =
    isSurelyInTheWay(branch, blocking) || state === 'moved' || /lock|exist|conflict|directory/i.test(message)
  if (isReason) throw branchInTheWay(prefix, blocking)
}

function branchAlone({ branch }: StartedTurn, publication: PublicationColumn): PublicationColumn {
  const note = `The changes are on branch \`${branch}\`. Docwright can’t open pull requests on this git host, so open one yourself.`
  return withNote(publication, note)
}

const mostMoves = 3

/**
 * Makes the commit again on top of what people pushed to the branch while the agent worked, and pins the new one.
 * @throws TurnFailure `branch_moved` when both changed the same lines, the branch is gone, or it keeps moving
 */
async function rebasePublication(
  run: TurnRun,
  turn: StartedTurn,
  publication: PublicationColumn,
  head: string | undefined,
): Promise<PublicationColumn> {
  const { repository } = run.project
  const happened = head === undefined ? `${turn.branch} was deleted` : `Someone pushed to ${turn.branch}`
  const failure = new TurnFailure(
    'branch_moved',
    `${happened} while the agent was working, so its changes weren’t published. They are saved. Send a follow-up to continue`,
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
  // This turn's merge brought in the base. It still does, unless the new head contains the base too.
  const [, base] = turn.parents ?? []
  const brings = base !== undefined && !(await isAncestor(repository, base, head))
  const commit = await commitTree(repository, merged.tree, {
    parents: brings ? [head, base] : [head],
    message: written.message,
    author: written.author,
    committer: run.ports.author,
    date: turn.startedAt,
  })
  const from = (await mergeBase(repository, turn.baseCommit, commit)) ?? turn.baseCommit
  const changes = await describeChanges(repository, from, commit)
  return run.ports.store.transaction(async (tx) => {
    await lockJob(tx, run.job.id)
    const row = await requireOpenTurn(tx, turn.row.id)
    // Another runner was faster: its commit is used.
    if (row.publication?.commit !== old) return row.publication ?? publication
    const next = { ...publication, commit, base: from, changes, onto: head, moves: publication.moves + 1 }
    await updateTurn(tx, row.id, { publication: json(next) })
    const message = `Someone pushed to ${turn.branch} while the agent was working. The agent’s changes were added on top`
    await appendEvents(tx, run.job.id, row.n, [
      { type: 'branch.moved', data: { branch: turn.branch, head, message } },
    ])
    await updateJob(tx, run.job.id)
    return next
  })
}

/**
 * Explains why a push was refused, and what to do about it.
 * @param message the repository's own message
 * @param prefix of the branch
 */
export function pushFailure(message: string, prefix: string): TurnFailure {
  const kept = 'The changes are kept: send a message to try again'
  // A sign-off is a line of the message, which is another setting.
  if (
    /verified signature|(?:must be|not) signed(?!.?off)|require[sd]? sign(?!(?:ed)?.?off)|unsigned commit|gpg key/i.test(
      message,
    )
  )
    return new TurnFailure(
      'unsigned_commit',
      `${message}. The host takes signed commits only: set DOCWRIGHT_COMMIT_SIGNING_KEY on the server, and give its public key to the account of the credential there. ${kept}`,
    )
  if (/protected branch|GH006|push to protected|branch protection|GH013|rule violations/i.test(message))
    return new TurnFailure(
      'branch_protected',
      `${message}. A rule of the host protects the branches of jobs: let Docwright push to ${prefix}*. ${kept}`,
    )
  if (/\barchived\b/i.test(message))
    return new TurnFailure(
      'repository',
      `${message}. The repository is archived: unarchive it there. ${kept}`,
    )
  if (/hook declined|not allowed|denied|permission/i.test(message))
    return new TurnFailure(
      'push_refused',
      `${message}. A rule of the git host or a missing permission blocks it. Change it there. ${kept}`,
    )
  return new TurnFailure('push_refused', message)
}
