import { endingSignal } from '../../../lib/ending-signal.ts'
import { openBlobReader } from '../../../integrations/git/trees/blob-reader.ts'
import { fetchMirror } from '../../../integrations/git/mirrors/fetch-mirror.ts'
import { listTree } from '../../../integrations/git/trees/list-tree.ts'
import { resolveReference } from '../../../integrations/git/resolve-reference.ts'
import { json, type Reader } from '../../../store/database.ts'
import type {
  ApprovalColumn,
  CodeChangeColumn,
  PublicationColumn,
  ViolationColumn,
} from '../../../store/columns.ts'
import { approvalsOf } from '../approve.ts'
import type { JobProject } from '../job-project.ts'
import { budgetOf, requireBudget } from '../turns/budget.ts'
import { callModel } from '../model/call-model.ts'
import { attentionEvent, completeTurn, requireOpenTurn } from '../turns/end-turn.ts'
import { gitBaseTree } from '../workspace/git-base-tree.ts'
import { isHeld } from '../workspace/toolbox.ts'
import { readInstructions, type Instructions } from '../model/instructions.ts'
import type { NewEvent } from '../events.ts'
import { lastPlanIn } from '../model/conversation.ts'
import { openingOf } from '../model/opening.ts'
import { isLanguageModel } from '../model/reminders.ts'
import { lockJob, readJob, updateJob } from '../jobs.ts'
import { guardConflicts } from '../workspace/merge-conflicts.ts'
import { readOverlay } from '../workspace/overlay.ts'
import { endByDecision } from './end-by-decision.ts'
import { withoutFiles } from './leave-out.ts'
import { allowedEntry } from '../policy/allowed-entry.ts'
import { pinPublication, resumePublication } from '../publish/pin-publication.ts'
import type { RunPorts, TimeSlice, StartedTurn, TurnRun, TurnTools } from '../turns/turn-run.ts'
import { publish } from '../publish/publish.ts'
import { isQuoted } from './handle-text-answer.ts'
import { runTools } from './run-tools.ts'
import { inSpan } from '../../../lib/trace.ts'
import { startTurn } from '../start/start-turn.ts'
import { readSteps, type Step, type TurnEnd } from '../turns/steps.ts'
import { titleOf } from '../title.ts'
import { ModelAway, TurnFailure, TurnLost, TurnYielded } from '../turns/turn-failure.ts'
import { earlierTurns, readTurn, updateTurn, type TurnRow } from '../turns.ts'
import { shownIn } from './verify-sources.ts'
import { watchTurn } from './watch-turn.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { saidIn } from '../../../lib/prompts/review-prompt.ts'

/**
 * Runs a turn from the end of its journal to its completion.
 * @throws TurnFailure for a final failure, TurnLost when the turn is no longer ours, TurnYielded when its time
 * slice is over, and passing errors unchanged
 */
export async function runTurn(ports: RunPorts, turnId: string, slice: TimeSlice): Promise<void> {
  const { db } = ports.store
  const row = await readTurn(db, turnId)
  const job = row && (await readJob(db, row.job_id))
  if (!job) throw new TurnLost()
  const opened = await ports.openProject(job.project_id)
  const project = opened && withApprovals(opened, await approvalsOf(db, job.id))
  if (!project) throw new TurnFailure('project_not_found', 'The project of this job no longer exists')
  const forge = await ports.forgeFor(project)
  if (!forge) {
    throw new TurnFailure(
      'unsupported_repository',
      'Jobs cannot publish to this repository: add it by its https address or by the path of a folder on the server',
    )
  }
  using watch = watchTurn(ports.store, turnId)
  using working = endingSignal({ signals: [watch.signal, ports.stopping] })
  const { signal } = working
  const budget = budgetOf(ports.limits, project.settings.budget, job.budget)
  const run: TurnRun = { ports, project, forge, job, signal, budget, ...clockFrom(row.worked), slice }
  try {
    const turn = await startTurn(run, row)
    const publication = (await pinnedPublication(run, turn)) ?? (await work(run, turn))
    if (publication) await inSpan('publish', {}, () => publish(run, turn, publication))
  } catch (error) {
    // An error that the abort caused is reported as the abort.
    if (watch.signal.aborted) throw watch.signal.reason
    throw error
  }
}

/** What people have allowed in the job counts as if the project allowed it. */
function withApprovals(project: JobProject, approvals: readonly ApprovalColumn[]): JobProject {
  const valuesOf = (kind: ApprovalColumn['kind']) =>
    approvals.filter((one) => one.kind === kind).map(({ value }) => value)
  const { settings } = project
  const allowedHosts = [...settings.allowedHosts, ...valuesOf('host')]
  const allowedImports = [...settings.allowedImports, ...valuesOf('import')]
  const allowedParts = [...settings.allowedParts, ...valuesOf('part')]
  return { ...project, settings: { ...settings, allowedHosts, allowedImports, allowedParts } }
}

// A pinned commit that was not pushed exists only in the mirror of one machine. On another machine, or in a new
// mirror, it is made again from the journal.
async function pinnedPublication(run: TurnRun, { row }: StartedTurn): Promise<PublicationColumn | undefined> {
  if (row.publication === null) return undefined
  const { repository, remote } = run.project
  const { commit } = row.publication
  if ((await resolveReference(repository, commit)) !== undefined) return row.publication
  await fetchMirror(repository, remote, { signal: run.signal })
  if ((await resolveReference(repository, commit)) !== undefined) return row.publication
  await run.ports.store.transaction(async (tx) => {
    await lockJob(tx, row.job_id)
    const now = await requireOpenTurn(tx, row.id)
    if (now.publication?.commit === commit) await updateTurn(tx, row.id, { publication: json(null) })
  })
  return undefined
}

function clockFrom(worked: number): Pick<TurnRun, 'worked' | 'idle'> {
  const started = performance.now()
  let idled = 0
  return {
    worked: () => worked + Math.round(performance.now() - started - idled),
    async idle(wait) {
      const begun = performance.now()
      try {
        return await wait()
      } finally {
        idled += performance.now() - begun
      }
    },
  }
}

async function work(run: TurnRun, turn: StartedTurn): ReturnType<typeof pinPublication> {
  const { repository } = run.project
  const { db } = run.ports.store
  const { signal } = run
  // In parallel, because a person waits for the first answer. Should one fail, the signal closes the reader.
  const [opened, files, baseFiles, steps, overlay, earlier] = await Promise.all([
    openBlobReader(repository, { signal }),
    listTree(repository, turn.startCommit, { signal }),
    turn.baseCommit === turn.startCommit ? undefined : listTree(repository, turn.baseCommit, { signal }),
    readSteps(db, turn.row.id),
    readOverlay(db, turn.row.id),
    earlierTurns(db, turn.row),
  ])
  await using reader = opened
  const instructions = await readInstructions(reader, baseFiles ?? files, run.project.root)
  const base = gitBaseTree(repository, turn.startCommit, reader, signal, files)
  const workspace = await openWorkspace(base, overlay)
  const request = [...earlier, turn.row].map(({ prompt }) => saidIn(prompt)).join('\n\n')
  const ignores = allowedEntry(run.job, turn.row)
  const published = baseFiles && new Set(baseFiles.map(({ path }) => path))
  using bare = await run.ports.openToolbox({
    project: run.project,
    workspace,
    request,
    ignores,
    calls: pastCalls(steps),
    hasConflicts: [turn.row.material?.merge, turn.row.material?.carried].some((merge) =>
      merge?.conflicts.some(({ state }) => state === 'markers'),
    ),
    unpublished: published && files.flatMap(({ path }) => (published.has(path) ? [] : path)),
  })
  const toolbox = guardConflicts(bare, workspace, turn.row.material)
  const earlierSources = {
    rules: rulesIn(instructions),
    outputs: [...earlier, turn.row].flatMap(({ material }) => outputsOf(material?.change)),
    earlier,
  }
  const shownSources = (some: readonly Step[]) => shownIn(some, earlierSources, toolbox.changesFiles)
  const plan = await lastPlanOf(db, earlier)
  const tools = { turn, request, ignores, workspace, toolbox, shown: shownSources }
  const end = turn.row.publishes
    ? await endByDecision(run, turn, tools)
    : await runSteps(run, turn, tools, { earlier, steps, instructions, plan }).catch((error: unknown) =>
        nameFaults(run, tools, error),
      )
  if (end.asks !== true) {
    using rest = end.leftOut && (await withoutFiles(run, tools, end.leftOut.paths))
    const publication =
      (await pinPublication(run, turn, rest ?? tools, end)) ??
      (await resumePublication(run, turn, end.summary))
    if (publication !== undefined) return publication
  }
  await endUnpublished(run, turn.row, end, workspace.changes().length)
  return undefined
}

/** A follow-up goes on from what the turn before it had planned. */
async function lastPlanOf(db: Reader, earlier: readonly TurnRow[]): Promise<string | undefined> {
  const last = earlier.at(-1)
  return last && lastPlanIn(await readSteps(db, last.id))
}

async function runSteps(
  run: TurnRun,
  turn: StartedTurn,
  tools: TurnTools,
  {
    steps,
    ...fixed
  }: { earlier: TurnRow[]; steps: Step[]; instructions: Instructions; plan: string | undefined },
): Promise<TurnEnd> {
  let opening: string | undefined
  for (;;) {
    run.signal.throwIfAborted()
    const last = steps.at(-1)
    if (last && !last.results) {
      last.results = await runTools(run, turn.row, tools, steps)
    }
    const { end, failure } = last?.results ?? {}
    if (end) return end
    if (failure) throw new TurnFailure(failure.code, failure.message, { files: failure.files })
    requireBudget(run.budget, steps, run.worked())
    if (await run.slice.isOver(steps.length)) throw new TurnYielded(steps.length)
    if (isLanguageModel(run.job.model))
      opening ??= openingOf(
        turn.startedAt,
        await tools.toolbox.overview(run.signal),
        turn.row.evidence ?? run.job.evidence,
      )
    const question = {
      ...fixed,
      opening,
      turn: turn.row,
      steps,
      tools: tools.toolbox.tools,
      isQuoted: (line: string) => isQuoted(tools.workspace, line),
    }
    steps.push(await callModel(run, turn, question))
  }
}

// People decide whether to publish what a turn that ended early has left, so they are told what is wrong with it.
async function nameFaults(run: TurnRun, { workspace, toolbox }: TurnTools, error: unknown): Promise<never> {
  // A model that is away may come back, so the turn has not ended.
  const isEnd = error instanceof TurnFailure && !(error instanceof ModelAway)
  if (!isEnd || error.files || workspace.changes().length === 0) throw error
  const problems = await Promise.all([toolbox.violations(run.signal), toolbox.newProblems(run.signal)])
    .then(([violations, found]): ViolationColumn[] => [
      ...violations.filter(isHeld),
      ...found
        .filter(({ severity }) => severity === 'error')
        .map(({ path, line, message }) => ({ path, line, message })),
    ])
    .catch(() => [])
  const files = problems.slice(0, 200)
  throw new TurnFailure(error.code, error.message, { cause: error, ...(files.length > 0 && { files }) })
}

/** Ends a turn that publishes nothing or asks a person. `changed` is the number of files that are kept. */
async function endUnpublished(run: TurnRun, turn: TurnRow, end: TurnEnd, changed: number): Promise<void> {
  const { title, summary, noChange, notUnderstood = false } = end
  const nothingDone =
    end.nothingDone ?? (noChange ? undefined : 'The agent finished without changing any files.')
  await run.ports.store.transaction(async (tx) => {
    const job = await lockJob(tx, turn.job_id)
    const row = await requireOpenTurn(tx, turn.id)
    if (end.asks === true) {
      const event: NewEvent = { type: 'turn.asked', data: { message: summary } }
      await completeTurn(tx, row, { outcome: 'needs_input', summary, choices: end.choices }, [event])
    } else if (nothingDone !== undefined) {
      const attention = attentionEvent('nothing_done', nothingDone)
      const text = `${nothingDone}${tellUnmerged(row)}`
      await completeTurn(tx, row, { outcome: 'nothing_done', summary: text }, [attention])
    } else {
      // A job with a pull request uses the title of that, and one that was not understood is called by its prompt.
      if (title !== undefined && !notUnderstood && job?.pull_request === null)
        await updateJob(tx, turn.job_id, { title: titleOf(title) })
      const text = `${summary}${tellKept(changed)}${tellUnmerged(row)}`
      await completeTurn(tx, row, { outcome: 'no_change', summary: text, notUnderstood }, [])
    }
  })
}

function tellKept(changed: number): string {
  if (changed === 0) return ''
  const files = changed === 1 ? 'One changed file was' : `${changed} changed files were`
  return `\n\n${files} not published. What was changed is kept: a follow-up continues from it.`
}

/** Says that the base has moved and is still not in the branch, whatever the model says. */
function tellUnmerged({ material }: TurnRow): string {
  const { merge } = material ?? {}
  if (!merge) return ''
  return merge.state === 'refused'
    ? `\n\n\`${merge.base}\` has new commits that can’t be merged automatically. Resolve the conflicts manually.`
    : `\n\n\`${merge.base}\` has moved and was not merged into the branch, because nothing was published.`
}

/** A change of code in the form of what tools show: its diff, and the pages that were looked up. */
function outputsOf(change: CodeChangeColumn | undefined): unknown[] {
  if (change === undefined) return []
  const { repository, id, parent, diff, names } = change
  return [{ repository, id, parent, diff }, { names }]
}

function rulesIn({ rules, template }: Instructions): string[] {
  return [...rules, ...(template === undefined ? [] : [template])].map(({ path }) => path)
}

function pastCalls(steps: readonly Step[]): { name: string; output: unknown }[] {
  return steps.flatMap(({ results }) => results?.outputs ?? [])
}
