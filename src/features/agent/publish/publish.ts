import { setTimeout as delay } from 'node:timers/promises'
import type { ChangeRequest } from '../../../integrations/forges/forge.ts'
import { isAncestor } from '../../../integrations/git/ancestry.ts'
import { fetchMirror } from '../../../integrations/git/fetch-mirror.ts'
import { mergeTrees } from '../../../integrations/git/merge-trees.ts'
import { pushBranch } from '../../../integrations/git/push-branch.ts'
import { resolveReference } from '../../../integrations/git/resolve-reference.ts'
import type { PublicationColumn } from '../../../store/tables.ts'
import { lockJob } from '../jobs.ts'
import { requireOpenTurn } from '../turns/end-turn.ts'
import { putOnTop } from './put-on-top.ts'
import { explainRefusal, pushFailure } from './explain-refusal.ts'
import { followBase, isBaseGone } from './follow-base.ts'
import { isReadyNow } from './own-draft.ts'
import { recordPublication } from './record-publication.ts'
import { recordPullRequestState } from './record-pull-request-state.ts'
import { tellProgress } from '../turns/tell-progress.ts'
import type { StartedTurn, TurnRun } from '../turns/turn-run.ts'

const pushes = 5

/**
 * Pushes what was pinned, sees that its pull request is there, and records both. Every part can be repeated: a runner
 * that dies at any point is replaced by one that does all of it again, to the same end.
 */
export async function publish(run: TurnRun, turn: StartedTurn, pinned: PublicationColumn): Promise<void> {
  const publication = await push(run, turn, pinned)
  if (run.forge.branchesOnly) {
    await recordPublication(run, turn, branchAlone(turn, publication), undefined)
    return
  }
  const { request, told } = await seeRequested(run, turn, publication)
  await recordPublication(run, turn, told, request)
  // A person may have merged it before we had written down that it exists. The turn is over: a host that is away now
  // is asked again by those who follow its pull requests.
  const now = await run.forge.read(request.number).catch(() => undefined)
  if (now === undefined || now.state === request.state) return
  await run.ports.store.transaction((tx) => recordPullRequestState(tx, run.job.id, now))
}

// Once more when the base was renamed meanwhile.
async function seeRequested(
  run: TurnRun,
  turn: StartedTurn,
  publication: PublicationColumn,
): Promise<{ request: ChangeRequest; told: PublicationColumn }> {
  try {
    return await requestChange(run, turn, publication)
  } catch (error) {
    if (!(await isBaseGone(run, error))) return explainRefusal(run, turn, error)
  }
  await followBase(run, turn.row.id, `The changes are on the branch ${turn.branch}`)
  return requestChange(run, turn, publication).catch((error: unknown) => explainRefusal(run, turn, error))
}

// What was pinned, or what took its place because people pushed meanwhile.
async function push(run: TurnRun, turn: StartedTurn, pinned: PublicationColumn): Promise<PublicationColumn> {
  const { repository, remote } = run.project
  const { branch } = turn
  let publication = pinned
  for (let attempt = 1; ; attempt++) {
    run.signal.throwIfAborted()
    const { commit } = publication
    const expected = publication.onto ?? turn.branchCommit
    const result = await tellProgress(run, turn.row, 'pushing', (onProgress) =>
      pushBranch(repository, remote, { branch, commit, expected, onProgress }),
    )
    if (result.state === 'pushed' || result.state === 'up_to_date') return publication
    // A slow runner finds the branch further on because another has published this turn, and the next one, already.
    await run.ports.store.transaction(async (tx) => {
      await lockJob(tx, run.job.id)
      await requireOpenTurn(tx, turn.row.id)
    })
    if (result.state !== 'moved') throw pushFailure(result.message)
    await fetchMirror(repository, remote, { signal: run.signal })
    const now = await resolveReference(repository, `refs/heads/${branch}`)
    if (now !== undefined && (await isAncestor(repository, commit, now))) return publication
    if (now !== expected || attempt === pushes) {
      publication = await putOnTop(run, turn, publication, now === expected ? undefined : now)
    } else {
      // Nobody has moved it: two pushes met at the branch's lock file.
      await delay(100 * attempt, undefined, { signal: run.signal })
    }
  }
}

async function requestChange(
  run: TurnRun,
  turn: StartedTurn,
  publication: PublicationColumn,
): Promise<{ request: ChangeRequest; told: PublicationColumn }> {
  const { forge, job } = run
  const { title, body } = publication
  const found = await forge.findByHead(turn.branch)
  run.signal.throwIfAborted()
  if (found?.state === 'open') {
    const isReady = await isReadyNow(run, publication, found)
    const base = await renamedBase(run, turn, found)
    const request = await forge.update(found.number, {
      title,
      body,
      ...(isReady && { draft: false }),
      ...(base !== undefined && { base }),
    })
    return { request, told: isReady && request.draft === true ? stillDraft(publication) : publication }
  }
  // A person's decision stands, unless it came too early for this commit: then the commit would be lost.
  if (found?.state === 'closed') return { request: found, told: closedMeanwhile(turn, publication) }
  if (found?.state === 'merged' && (await isMerged(run, turn, publication.commit)))
    return { request: found, told: publication }
  const { draft, ...people } = run.project.settings.pullRequest
  run.signal.throwIfAborted()
  const request = await forge.open({
    title,
    body,
    head: turn.branch,
    base: job.base,
    draft: job.draft || publication.draft || draft,
    ...people,
  })
  return { request, told: publication }
}

// For a host that did not take it over to the base's new name. One that people gave another base keeps that.
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
    'No problem is left, but the host did not let the pull request be marked as ready: do that there.',
  )
}

function closedMeanwhile({ branch }: StartedTurn, publication: PublicationColumn): PublicationColumn {
  return withNote(
    publication,
    `The pull request was closed before these changes came: they are on the branch \`${branch}\`. To use them, open it again; another message begins anew, on another branch.`,
  )
}

function withNote(publication: PublicationColumn, note: string): PublicationColumn {
  return { ...publication, summary: `${publication.summary}\n\n${note}` }
}

function branchAlone({ branch }: StartedTurn, publication: PublicationColumn): PublicationColumn {
  const told = `The changes are on the branch \`${branch}\`. Its host takes no pull requests from here: open one yourself.`
  return withNote(publication, told)
}

// By content: a host may have squashed the commits.
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
