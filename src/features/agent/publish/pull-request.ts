import { wantsDraft, withNote } from './record-publication.ts'
import type { ChangeRequest } from '../../../integrations/forges/forge.ts'
import { fetchMirror } from '../../../integrations/git/mirrors/fetch-mirror.ts'
import { mergeTrees } from '../../../integrations/git/trees/merge-trees.ts'
import { resolveReference } from '../../../integrations/git/resolve-reference.ts'
import type { PublicationColumn } from '../../../store/columns.ts'
import type { StartedTurn, TurnRun } from '../turns/turn-run.ts'
import { followBase, isBaseGone } from './follow-base.ts'
import { readTemplate } from './read-template.ts'
import { earlierTurns } from '../turns.ts'
import { AppError } from '../../../lib/errors.ts'
import { codeOfRefusal, TurnFailure } from '../turns/turn-failure.ts'

interface Requested {
  request: ChangeRequest
  publication: PublicationColumn
}

/**
 * Opens or updates the pull request of a pushed branch, and tries again when the base was renamed meanwhile. Can be
 * repeated.
 * @returns the request, and the publication with a note where people need to know something
 * @throws TurnFailure that says what the host refused
 */
export async function ensurePullRequest(
  run: TurnRun,
  turn: StartedTurn,
  publication: PublicationColumn,
): Promise<Requested> {
  try {
    return await requestChange(run, turn, publication)
  } catch (error) {
    if (!(await isBaseGone(run, error))) return explainRefusal(run, turn, error)
  }
  await followBase(run, turn.row.id, `The changes are on the branch ${turn.branch}`)
  return requestChange(run, turn, publication).catch((error: unknown) => explainRefusal(run, turn, error))
}

async function requestChange(
  run: TurnRun,
  turn: StartedTurn,
  publication: PublicationColumn,
): Promise<Requested> {
  const { forge, job } = run
  const { title, body } = publication
  const prior = await forge.findByHead(turn.branch)
  run.signal.throwIfAborted()
  if (prior?.state === 'open') {
    const isReady = await becomesReady(run, publication, prior)
    const base = await renamedBase(run, turn, prior)
    const request = await forge.update(prior.number, {
      body,
      former: await formerBody(run, turn),
      ...(isReady && { draft: false }),
      ...(base !== undefined && { base }),
    })
    return { request, publication: isReady && request.draft === true ? stillDraft(publication) : publication }
  }
  // A person's decision is respected, unless they merged without this commit, which would be lost.
  if (prior?.state === 'closed') return { request: prior, publication: closedMeanwhile(turn, publication) }
  if (prior?.state === 'merged' && (await isMerged(run, turn, publication.commit)))
    return { request: prior, publication }
  const { draft, ...people } = run.project.settings.pullRequest
  run.signal.throwIfAborted()
  const request = await forge.open({
    title,
    body,
    template: await readTemplate(run, turn),
    head: turn.branch,
    base: job.base,
    draft: job.draft || publication.draft || draft,
    ...people,
  })
  return { request, publication }
}

/** What the description of the branch's pull request says of the turns before. */
async function formerBody({ ports }: TurnRun, { row, branch }: StartedTurn): Promise<string | undefined> {
  const earlier = await earlierTurns(ports.store.db, row)
  return earlier.findLast((one) => one.branch === branch && one.publication !== null)?.publication?.body
}

// Returns the base's new name for a pull request that the host did not move to it. One with a base that people
// chose keeps that.
async function renamedBase(
  run: TurnRun,
  turn: StartedTurn,
  { base }: ChangeRequest,
): Promise<string | undefined> {
  const { repository, ref, formerRefs } = run.project
  if (![run.job.base, ref, ...formerRefs].includes(base)) return undefined
  if ((await resolveReference(repository, `refs/heads/${base}`)) !== undefined) return undefined
  if (base === run.job.base)
    await followBase(run, turn.row.id, `The changes are on the branch ${turn.branch}`)
  return run.job.base
}

function stillDraft(publication: PublicationColumn): PublicationColumn {
  return withNote(
    publication,
    'All problems are fixed, but the git host didn’t allow Docwright to mark the pull request as ready. Mark it there.',
  )
}

function closedMeanwhile({ branch }: StartedTurn, publication: PublicationColumn): PublicationColumn {
  return withNote(
    publication,
    `The pull request was closed before these changes were ready. They’re on branch \`${branch}\`. Reopen the pull request to use them. A new follow-up starts a new branch from the base.`,
  )
}

// Compares content, because a host may have squashed the commits.
async function isMerged(run: TurnRun, turn: StartedTurn, commit: string): Promise<boolean> {
  const { repository, remote } = run.project
  await fetchMirror(repository, remote, { signal: run.signal })
  const head = () => resolveReference(repository, `refs/heads/${run.job.base}`)
  if ((await head()) === undefined)
    await followBase(run, turn.row.id, `The changes are on the branch ${turn.branch}`)
  const base = await head()
  if (base === undefined) return true
  const merge = await mergeTrees(repository, base, commit)
  return merge.clean && merge.tree === (await resolveReference(repository, base, 'tree'))
}

/**
 * Whether to mark an open draft as ready: only when we made it a draft because of problems, and this publication
 * has none.
 */
async function becomesReady(
  run: TurnRun,
  publication: PublicationColumn,
  request: ChangeRequest,
): Promise<boolean> {
  if (request.draft !== true || publication.draft || wantsDraft(run)) return false
  const job = await run.ports.store.db
    .selectFrom('jobs')
    .select('draft_for_checks')
    .where('id', '=', run.job.id)
    .executeTakeFirst()
  return job?.draft_for_checks === true
}

/**
 * Explains a host's refusal to open or change a pull request of a branch that is pushed already.
 * @throws TurnFailure that says what to do, or the error itself when it may pass
 */
function explainRefusal({ signal }: TurnRun, { branch }: StartedTurn, error: unknown): never {
  if (!(error instanceof AppError) || error.code === 'unavailable' || error.code === 'internal') throw error
  signal.throwIfAborted()
  const pushed = `The changes are on the branch ${branch}: send a message to try again`
  if (error.code === 'conflict')
    throw new TurnFailure(
      'nothing_to_merge',
      `${error.message}. No pull request was opened: the same changes came in otherwise`,
      { cause: error },
    )
  const code = codeOfRefusal(error, 'host_refused')
  const then = code === 'repository' ? ', once it is unarchived' : ''
  throw new TurnFailure(code, `${error.message}. ${pushed}${then}`, { cause: error })
}
