import { sql, type UpdateObject } from 'kysely'
import { fetchMirror } from '../../../integrations/git/mirrors/fetch-mirror.ts'
import { resolveReference } from '../../../integrations/git/resolve-reference.ts'
import type { ChangeRequest } from '../../../integrations/forges/forge.ts'
import { json } from '../../../store/database.ts'
import type { CodeChangeColumn, MaterialColumn } from '../../../store/columns.ts'
import type { Tables } from '../../../store/tables.ts'
import { bringUpToDate, remakeStart, type Start } from './bring-up-to-date.ts'
import { readChange } from './change/read-change.ts'
import { carryWork, type Carried } from './carry-work.ts'
import { requireOpenTurn } from '../turns/end-turn.ts'
import { appendEvents, type NewEvent } from '../events.ts'
import { isDraftForChecks, isSameRequest } from '../publish/record-publication.ts'
import { lockJob, updateJob } from '../jobs.ts'
import { earlierWork } from './earlier-work.ts'
import { newComments } from './new-comments.ts'
import { writeOverlay } from '../workspace/overlay.ts'
import { relatedToPrompt } from '../publish/related-pull-requests.ts'
import { chooseBranch, resolveHeads } from './starting-branch.ts'
import { storableJson } from '../../../lib/text/storable-json.ts'
import { reportProgress } from '../turns/report-progress.ts'
import type { StartedTurn, TurnRun } from '../turns/turn-run.ts'
import { TurnFailure, TurnLost } from '../turns/turn-failure.ts'
import { earlierTurns, noLongerParked, readTurn, updateTurn, type TurnRow } from '../turns.ts'

/** Fetches the repository and stores what the turn starts from, or reads what was stored before. */
export async function startTurn(run: TurnRun, turn: TurnRow): Promise<StartedTurn> {
  const row = turn.start_commit === null ? await pinStart(run, turn) : await requireStart(run, turn)
  return readPins(row)
}

async function pinStart(run: TurnRun, turn: TurnRow): Promise<TurnRow> {
  const { project, job, signal } = run
  const { store } = run.ports
  const began = performance.now()
  let fetched = 0
  const [related] = await Promise.all([
    relatedToPrompt(run, turn.prompt),
    reportProgress(run, turn, 'fetching', (onProgress) =>
      fetchMirror(project.repository, project.remote, { signal, onProgress }),
    ).then(() => {
      fetched = Math.round(performance.now() - began)
    }),
  ])
  const { branch, request } = await chooseBranch(run)
  const { baseCommit, branchCommit } = await resolveHeads(run, turn, branch)
  const earlier = await earlierTurns(store.db, turn)
  const start = await bringUpToDate(run, turn, { branchCommit, baseCommit })
  const [carried, comments] = await Promise.all([
    carryWork(run, start, store.db),
    newComments(run, request?.number, earlier),
  ])
  const history = earlierWork(earlier)
  const change = await changeFor(run, turn, { earlier, docs: start.commit })
  const material = gather(start, { branchCommit, baseCommit }, carried, {
    related,
    comments,
    history,
    change,
  })
  await store.transaction(async (tx) => {
    const before = await lockJob(tx, job.id)
    const row = await requireOpenTurn(tx, turn.id)
    if (!before || row.start_commit !== null) return
    await updateTurn(tx, turn.id, {
      status: 'running',
      start_commit: start.commit,
      parents: json(start.parents ?? null),
      base_commit: baseCommit,
      branch,
      branch_commit: branchCommit ?? null,
      carried_from: carried?.from.id ?? null,
      material: json(storableJson(material ?? null)),
      started_at: sql<Date>`now()`,
      ...noLongerParked,
    })
    if (carried) await writeOverlay(tx, turn.id, carried.entries)
    const isKnown = request !== undefined && (await isSameRequest(tx, before, request))
    const change = request && stateChange(isKnown ? before.pull_request?.state : undefined, request)
    // Before the events, because appending them reads the pull request from the job.
    await updateJob(tx, job.id, { branch, ...(request && foundRequest(run, earlier, request, isKnown)) })
    await appendEvents(tx, job.id, turn.n, [
      ...(change ? [change] : []),
      { type: 'turn.started', data: { base: job.base, baseCommit, branch, fetchMilliseconds: fetched } },
      ...startEvents(material, job.base, baseCommit),
    ])
  })
  const row = await readTurn(store.db, turn.id)
  if (!row) throw new TurnLost()
  return row
}

/** The change of code that the turn documents: its own, or that of the job until a turn has come to its end with it. */
async function changeFor(
  run: TurnRun,
  turn: TurnRow,
  { earlier, docs }: { earlier: readonly TurnRow[]; docs: string },
): Promise<CodeChangeColumn | undefined> {
  const isOpen = !earlier.some(({ status }) => status === 'completed')
  const about = turn.about_change ?? (isOpen ? run.job.about_change : null)
  return about === null ? undefined : readChange(run, about, docs)
}

function foundRequest(
  run: TurnRun,
  earlier: readonly TurnRow[],
  request: ChangeRequest,
  isKnown: boolean,
): UpdateObject<Tables, 'jobs'> {
  const { link, number, state } = request
  // It was opened by a turn whose runner died before recording it.
  const opener = earlier.findLast((one) => one.publication !== null && one.branch === request.head)
  const isOurs = isDraftForChecks(run, opener?.publication, request)
  return {
    pull_request: json({ link, number, state }),
    ...(!isKnown && { draft_for_checks: isOurs }),
    ...(isKnown && request.draft === false && { draft_for_checks: false }),
  }
}

// The mirror may have been replaced since, and a merge that was made for the turn exists nowhere else.
async function requireStart(run: TurnRun, turn: TurnRow): Promise<TurnRow> {
  const { repository, remote } = run.project
  const { start_commit: commit, parents } = turn
  if (commit === null || (await resolveReference(repository, commit)) !== undefined) return turn
  await fetchMirror(repository, remote, { signal: run.signal })
  const remade = parents === null ? undefined : await remakeStart(run, turn, parents)
  if ((remade ?? (await resolveReference(repository, commit))) === commit) return turn
  throw new TurnFailure(
    'branch_moved',
    'What the turn started from no longer exists from the repository: send the message again',
  )
}

function gather(
  start: Start,
  { branchCommit, baseCommit }: { branchCommit: string | undefined; baseCommit: string },
  carried: Carried | undefined,
  { change, ...others }: Pick<MaterialColumn, 'related' | 'comments' | 'change'> & { history: string[] },
): MaterialColumn | undefined {
  const sides = start.merge === null || branchCommit === undefined ? [] : [branchCommit, baseCommit]
  const material = {
    merge: start.merge,
    carried: carried?.material ?? null,
    markers: [...sides, ...(carried?.markers ?? [])],
    ...others,
    ...(change && { change }),
  }
  const isEmpty =
    !change && !start.merge && !carried && Object.values(others).every(({ length }) => length === 0)
  return isEmpty ? undefined : material
}

function readPins(row: TurnRow): StartedTurn {
  const { start_commit, base_commit, branch, started_at } = row
  if (start_commit === null || base_commit === null || branch === null || started_at === null)
    throw new TurnLost()
  return {
    row,
    startCommit: start_commit,
    parents: row.parents ?? undefined,
    baseCommit: base_commit,
    branch,
    branchCommit: row.branch_commit ?? undefined,
    startedAt: started_at,
  }
}

/** Events that tell people what a turn begins with. */
function startEvents(material: MaterialColumn | undefined, base: string, baseCommit: string): NewEvent[] {
  const { merge, carried } = material ?? {}
  const events: NewEvent[] = []
  if (merge) {
    const conflicts = merge.conflicts.map(({ path }) => path).slice(0, 50)
    const message =
      merge.state === 'refused'
        ? `${base} has moved and could not be merged in: a person has to`
        : conflicts.length === 0
          ? `${base} has moved and was merged in`
          : `${base} has moved and was merged in, with conflicts for the agent to resolve`
    events.push({ type: 'base.merged', data: { base, baseCommit, state: merge.state, conflicts, message } })
  }
  if (carried) {
    const message = `Turn ${carried.turn} has left changes that are not published: they are continued`
    events.push({
      type: 'work.carried',
      data: { from: carried.turn, files: carried.paths.slice(0, 50), message },
    })
  }
  return events
}

/** The event for a pull request whose state differs from the one that the job has recorded. */
function stateChange(before: ChangeRequest['state'] | undefined, now: ChangeRequest): NewEvent | undefined {
  if (before === now.state) return undefined
  const kind = now.state === 'open' ? 'opened' : now.state
  return { type: `pull_request.${kind}`, data: { number: now.number, link: now.link } }
}
