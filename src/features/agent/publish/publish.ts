import { setTimeout as delay } from 'node:timers/promises'
import { isAncestor } from '../../../integrations/git/ancestry.ts'
import { fetchMirror } from '../../../integrations/git/fetch-mirror.ts'
import { pushBranch } from '../../../integrations/git/push-branch.ts'
import { resolveReference } from '../../../integrations/git/resolve-reference.ts'
import type { PublicationColumn } from '../../../store/tables.ts'
import { lockJob } from '../jobs.ts'
import { requireOpenTurn } from '../turns/end-turn.ts'
import { putOnTop } from './put-on-top.ts'
import { pushFailure } from './explain-refusal.ts'
import { recordPublication } from './record-publication.ts'
import { recordPullRequestState } from './record-pull-request-state.ts'
import { seeRequested, withNote } from './see-requested.ts'
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
  const now = await run.forge.read(request.number, { within: 1000 }).catch(() => undefined)
  if (now === undefined || now.state === request.state) return
  await run.ports.store.transaction((tx) => recordPullRequestState(tx, run.job.id, now))
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

function branchAlone({ branch }: StartedTurn, publication: PublicationColumn): PublicationColumn {
  const told = `The changes are on the branch \`${branch}\`. Its host takes no pull requests from here: open one yourself.`
  return withNote(publication, told)
}
