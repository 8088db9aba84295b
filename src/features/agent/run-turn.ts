import { openBlobReader } from '../../integrations/git/blob-reader.ts'
import { callModel } from './call-model.ts'
import { completeTurn, requireOpenTurn } from './end-turn.ts'
import { gitBaseTree } from './git-base-tree.ts'
import { lockJob, updateJob } from './jobs.ts'
import { readOverlay } from './overlay.ts'
import { pinPublication } from './pin-publication.ts'
import type { RunPorts } from './ports.ts'
import { publish } from './publish.ts'
import { runTools } from './run-tools.ts'
import { startTurn } from './start-turn.ts'
import { readSteps } from './steps.ts'
import type { Step, TurnEnd } from './steps.ts'
import { titleOf } from './title.ts'
import { TurnFailure, TurnLost } from './turn-failure.ts'
import { earlierTurns, readTurn } from './turns.ts'
import type { TurnRow } from './turns.ts'
import type { StartedTurn, TurnRun, TurnTools } from './turn-run.ts'
import { watchTurn } from './watch-turn.ts'
import { openWorkspace } from './workspace.ts'

/**
 * Runs a turn from wherever its journal ends to its completion.
 * @throws TurnFailure for what ends it badly, TurnLost when it is no longer ours, and what may pass as it came
 */
export async function runTurn(ports: RunPorts, turnId: string): Promise<void> {
  const { db } = ports.store
  const row = await readTurn(db, turnId)
  const job = row && (await db.selectFrom('jobs').selectAll().where('id', '=', row.job_id).executeTakeFirst())
  if (!job) throw new TurnLost()
  const project = await ports.openProject(job.project_id)
  if (!project) throw new TurnFailure('project_not_found', 'The project of this job is gone')
  const forge = ports.forgeFor(project)
  if (!forge) {
    throw new TurnFailure(
      'unsupported_repository',
      'Jobs run only on repositories that live on this server for now: git hosts come later. Add the project by the path of a local repository',
    )
  }
  using watch = watchTurn(ports.store, turnId)
  const signal = AbortSignal.any([watch.signal, ports.stopping])
  const run: TurnRun = { ports, project, forge, job, signal }
  try {
    const turn = await startTurn(run, row)
    const publication = turn.row.publication ?? (await work(run, turn))
    if (publication) await publish(run, turn, publication)
  } catch (error) {
    // Whatever broke because of the abort, the abort is what happened.
    if (watch.signal.aborted) throw watch.signal.reason
    throw error
  }
}

async function work(run: TurnRun, turn: StartedTurn): ReturnType<typeof pinPublication> {
  const { repository } = run.project
  const { db } = run.ports.store
  await using reader = await openBlobReader(repository, { signal: run.signal })
  const steps = await readSteps(db, turn.row.id)
  const base = gitBaseTree(repository, turn.startCommit, reader, run.signal)
  const workspace = await openWorkspace(base, await readOverlay(db, turn.row.id))
  const toolbox = await run.ports.openToolbox({ project: run.project, workspace, calls: pastCalls(steps) })
  const tools = { workspace, toolbox }
  const end = await runSteps(run, turn, tools, steps)
  const publication = await pinPublication(run, turn, tools, end)
  if (publication === undefined) await endWithoutChange(run, turn.row, end)
  return publication
}

async function runSteps(run: TurnRun, turn: StartedTurn, tools: TurnTools, steps: Step[]): Promise<TurnEnd> {
  const earlier = await earlierTurns(run.ports.store.db, turn.row)
  for (;;) {
    run.signal.throwIfAborted()
    const last = steps.at(-1)
    if (last?.results?.end) return last.results.end
    if (last && !last.results) {
      last.results = await runTools(run, turn.row, tools, steps, last)
    } else if (steps.length >= run.ports.limits.steps) {
      throw new TurnFailure(
        'budget',
        `The turn used all of its ${run.ports.limits.steps} steps without finishing`,
      )
    } else {
      steps.push(await callModel(run, turn, { earlier, steps, tools: tools.toolbox.tools }))
    }
  }
}

async function endWithoutChange(run: TurnRun, turn: TurnRow, end: TurnEnd): Promise<void> {
  await run.ports.store.transaction(async (tx) => {
    const job = await lockJob(tx, turn.job_id)
    const row = await requireOpenTurn(tx, turn.id)
    // A job that has a pull request is called by that one's title.
    if (end.title !== undefined && job?.pull_request === null) {
      await updateJob(tx, turn.job_id, { title: titleOf(end.title) })
    }
    await completeTurn(tx, row, end.summary, [])
  })
}

function pastCalls(steps: readonly Step[]): { name: string; input: unknown; output: unknown }[] {
  return steps.flatMap(({ response, results }) =>
    (results?.outputs ?? []).map(({ id, name, output }) => ({
      name,
      input: response.calls.find((call) => call.id === id)?.input,
      output,
    })),
  )
}
