import { z } from 'zod'
import { unresolvedConflicts } from '../workspace/merge-conflicts.ts'
import { checkProblems, withoutSecretsIn } from './finish-turn.ts'
import { leaveOut } from './leave-out.ts'
import { readSteps, type TurnEnd } from '../turns/steps.ts'
import { readTurn, type TurnRow } from '../turns.ts'
import { notPublished, TurnFailure } from '../turns/turn-failure.ts'
import { isHeld } from '../workspace/toolbox.ts'
import type { StartedTurn, TurnRun, TurnTools } from '../turns/turn-run.ts'
import { withShownSources } from './verify-sources.ts'

/**
 * How a turn ends that publishes kept work, because a person decided so. What the policy refuses and what conflicts
 * with newer text is left out: deciding is no way around either.
 * @throws TurnFailure when nothing can be published
 */
export async function endByDecision(run: TurnRun, turn: StartedTurn, tools: TurnTools): Promise<TurnEnd> {
  const { material } = turn.row
  const sources = await sourcesOf(run, turn.row)
  const report = await lastFinish(run, tools, sources.at(-1))
  // What was left out of a draft comes beside what is published already.
  const isRest = sources.some(({ publication }) => publication?.leftOut !== undefined)
  const violations = (await tools.toolbox.violations(run.signal)).filter(isHeld)
  const summary = isRest
    ? 'Adds changes left out of the previous publication.'
    : (report?.summary ?? 'Changes made before the job stopped. No summary is available.')
  const isFinished = report !== undefined && (isRest || sources[0]?.failure?.code === 'policy')
  const whole = {
    title: report?.title ?? run.job.title ?? undefined,
    summary,
    noChange: false,
    pages: report?.pages ?? [],
    ...(report?.description !== undefined && !isRest && { description: report.description }),
  }
  const decided = { turn: material?.carried?.turn ?? 0, reason: material?.carried?.reason ?? '' }
  const end: TurnEnd = { ...whole, draft: true, ...(!(isFinished && isRest) && { decided }) }
  const refused = [
    ...(await unresolvedConflicts(tools.workspace, material)).map(({ path, line }) => ({
      path,
      line,
      message: 'Its changes conflict with newer text, which a follow-up can resolve',
    })),
    ...violations,
  ]
  // What the policy had refused has been allowed since: it ends as it would have.
  if (isFinished && refused.length === 0) {
    const problems = await tools.toolbox.newProblems(run.signal)
    // No model is asked any more, so the problems that are left decide at once.
    const { end: done, failure } = checkProblems(run, withoutSecretsIn(whole), problems, {
      round: 1,
      isLast: true,
    })
    if (done !== undefined) return done
    throw new TurnFailure(failure?.code ?? 'policy', failure?.message ?? '', { files: failure?.files })
  }
  const lost = (material?.carried?.conflicts ?? [])
    .filter(({ state }) => state === 'kept')
    .map(({ path }) => ({ path, line: null, message: 'Its changes could not be merged into the newer file' }))
  if (tools.workspace.changes().length === 0 && lost.length === 0)
    return { ...end, noChange: true, summary: 'Nothing to publish. These changes are already merged.' }
  const leftOut = await leaveOut(run, tools, refused)
  if (leftOut === undefined || tools.workspace.changes().length === 0) {
    const failure = notPublished([...lost, ...refused])
    // What is published already stands, so nothing has failed.
    if (isRest) return withoutSecretsIn({ ...whole, noChange: true, summary: `${failure.message}.` })
    throw failure
  }
  const left = [...lost, ...leftOut.violations]
  return withoutSecretsIn(left.length === 0 ? end : { ...end, leftOut: { ...leftOut, violations: left } })
}

const givenInput = z.object({
  title: z.string().max(1000).optional(),
  summary: z.string().min(1).max(100_000),
  description: z.string().max(100_000).optional(),
  pages: z
    .array(z.object({ path: z.string(), reason: z.string(), sources: z.array(z.string()).catch([]) }))
    .catch([]),
})

/** The turn whose work this one publishes, behind those that took it over and did not change it. */
async function sourcesOf(run: TurnRun, { carried_from }: TurnRow): Promise<TurnRow[]> {
  const { db } = run.ports.store
  const from = carried_from === null ? undefined : await readTurn(db, carried_from)
  if (from === undefined) return []
  const hasChanged = (await readSteps(db, from.id)).some(({ results }) => results?.changed === true)
  return hasChanged ? [from] : [from, ...(await sourcesOf(run, from))]
}

// What the model said of the work when it called finish and was refused.
async function lastFinish(
  run: TurnRun,
  { turn, shown }: TurnTools,
  source: TurnRow | undefined,
): Promise<z.infer<typeof givenInput> | undefined> {
  if (source === undefined) return undefined
  const steps = await readSteps(run.ports.store.db, source.id)
  const calls = steps.flatMap(({ response }) => response.calls.filter(({ name }) => name === 'finish'))
  const finishInput = givenInput.safeParse(calls.at(-1)?.input).data
  return finishInput && withShownSources(run, turn, finishInput, shown(steps)).end
}
