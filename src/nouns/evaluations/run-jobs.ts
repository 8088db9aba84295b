import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { PastChange } from '../../features/impact/past-changes.ts'
import type { Repository } from '../../integrations/git/git.ts'
import { listCommits } from '../../integrations/git/trees/list-commits.ts'
import { endingSignal } from '../../lib/ending-signal.ts'
import { counted } from '../../lib/text/counted.ts'
import type { CommandContext } from '../../cli/command-context.ts'
import { inParallel } from '../../cli/eval/in-parallel.ts'
import { openJournal } from '../../cli/eval/journal.ts'
import type { RunChange } from './jobs-report.ts'
import { startOwnServer, type OwnServer } from './own-server.ts'
import { serverEnvironment } from './server-environment.ts'
import { runCase, type CaseResult, type CaseWorld, type Configuration } from './run-case.ts'

/** What all jobs together may use; what earlier runs of the same file used counts. */
export interface Ceiling {
  /** USD. */
  cost: number | undefined
  tokens: number | undefined
}

export interface JobsRun {
  changes: readonly PastChange[]
  configurations: readonly Configuration[]
  ceiling: Ceiling
  minutes: number
  concurrency: number
  resume: string | undefined
  environment: NodeJS.ProcessEnv
}

type World = Omit<CaseWorld, 'client' | 'signal' | 'note'>

const mostInTrouble = 3

const saved = z.looseObject({
  outcome: z.string(),
  said: z.string(),
  pages: z.array(z.string()),
  scores: z.record(z.string(), z.number()),
  problems: z.number(),
  refusals: z.number(),
  steps: z.number(),
  tokens: z.number(),
  cost: z.number().nullable(),
  seconds: z.number(),
  isToBeRepeated: z.boolean(),
}) satisfies z.ZodType<CaseResult>

/**
 * Runs a job for each change and configuration, and keeps each result at once.
 * @returns the changes in their order, and why not all were run
 */
export async function runJobs(
  context: Pick<CommandContext, 'note' | 'progress'>,
  world: World,
  run: JobsRun,
  stopping: AbortSignal,
): Promise<{ changes: RunChange[]; stopped: string | null }> {
  const { changes, configurations } = run
  const spent = { cost: 0, tokens: 0 }
  const spend = ({ cost, tokens }: CaseResult): void => {
    spent.cost += cost ?? 0
    spent.tokens += tokens
  }
  const journal = await openJournal(run.resume, (value) => {
    const { data } = saved.safeParse(value)
    if (data !== undefined) spend(data)
    return data?.isToBeRepeated === true ? undefined : data
  })
  const keyOf = ({ commit, parent }: PastChange, { name, settings }: Configuration): string =>
    JSON.stringify(['jobs', commit, parent, world.root, world.code !== undefined, name, settings])
  const results = changes.map((change) =>
    configurations.map((configuration) => journal.find(keyOf(change, configuration)) ?? null),
  )
  const open = changes.flatMap((change, at) =>
    configurations.flatMap((configuration, which) =>
      results[at]?.[which] ? [] : [{ change, configuration, at, which }],
    ),
  )
  const total = changes.length * configurations.length
  let done = total - open.length
  if (done > 0) context.note(`${done} of ${counted(total, 'job')} are known from ${run.resume}`)
  let stopped = overCeiling(spent, run.ceiling)
  let inTrouble = 0
  if (open.length > 0 && stopped === null) {
    await mkdir(world.folder, { recursive: true })
    const progress = context.progress()
    progress.show({ phase: 'starting a server', done, total: null })
    try {
      await using server = await startOwnServer(join(world.folder, 'data'), {
        environment: serverEnvironment(run.environment, run.concurrency),
        signal: stopping,
      })
      using ending = endingSignal({ signals: [stopping, server.ended] })
      progress.show({ phase: 'running jobs', done, total })
      await inParallel(open, run.concurrency, async ({ change, configuration, at, which }) => {
        if (stopped !== null) return
        const budget = { minutes: run.minutes, ...leftOf(run, spent) }
        const result = await runCase(
          { ...world, client: server.client, signal: ending.signal, note: (line) => context.note(line) },
          change,
          configuration,
          budget,
        ).catch((error: unknown) => {
          throw reasonOf(server, stopping) ?? error
        })
        spend(result)
        const over = overCeiling(spent, run.ceiling)
        // The ceiling ended it, not its own budget.
        const isCut = result.isOverBudget === true && over !== null
        const final = { ...result, isToBeRepeated: result.isToBeRepeated || isCut }
        await journal.add(keyOf(change, configuration), final)
        if (!isCut) {
          const row = results[at]
          if (row !== undefined) row[which] = final
        }
        inTrouble = result.isToBeRepeated ? inTrouble + 1 : 0
        stopped ??= over ?? priceUnknown(result, run.ceiling)
        if (result.outcome === 'unavailable' || inTrouble >= mostInTrouble)
          stopped ??= `Jobs cannot be run: ${result.said}`
        context.note(
          `${change.commit.slice(0, 10)} ${configuration.name}: ${result.outcome.replaceAll('_', ' ')}, ${counted(result.pages.length, 'page')}, ${Math.round(result.seconds)} s`,
        )
        progress.show({ phase: 'running jobs', done: ++done, total })
      })
    } finally {
      progress.end()
    }
  }
  const subjects = await Promise.all(changes.map((change) => subjectOf(world.source, change)))
  return {
    stopped,
    changes: changes.map(({ commit, kind, pages }, at) => ({
      commit,
      subject: subjects[at] ?? '',
      kind,
      pages,
      results: results[at] ?? [],
    })),
  }
}

function reasonOf(server: OwnServer, stopping: AbortSignal): unknown {
  if (stopping.aborted) return stopping.reason
  return server.ended.aborted ? server.ended.reason : undefined
}

type Spent = Record<keyof Ceiling, number>

function overCeiling(spent: Spent, { cost, tokens }: Ceiling): string | null {
  if (cost !== undefined && spent.cost >= cost) return `The ceiling of ${cost.toFixed(2)} USD was reached.`
  if (tokens !== undefined && spent.tokens >= tokens)
    return `The ceiling of ${tokens.toLocaleString('en')} tokens was reached.`
  return null
}

function priceUnknown({ cost, tokens }: CaseResult, ceiling: Ceiling): string | null {
  return ceiling.cost !== undefined && cost === null && tokens > 0
    ? 'The price of the model is not known, so that a ceiling of cost cannot hold. Use a ceiling of tokens.'
    : null
}

/** What one of the jobs that run at the same time may use of what is left. */
function leftOf({ ceiling, concurrency }: JobsRun, spent: Spent): Ceiling {
  return {
    cost: ceiling.cost && Math.max(0.0001, (ceiling.cost - spent.cost) / concurrency),
    tokens: ceiling.tokens && Math.max(1, Math.floor((ceiling.tokens - spent.tokens) / concurrency)),
  }
}

/** How people called a change. */
export async function subjectOf(source: Repository, { commit }: Pick<PastChange, 'commit'>): Promise<string> {
  const [change] = await listCommits(source, { to: commit, limit: 1 })
  return titleOf(change?.message ?? '')
}

/** Of a merge, what the pull request is called. */
function titleOf(message: string): string {
  const [first = '', ...rest] = message.split('\n')
  if (!/^Merge (?:pull request|branch|remote)/.test(first)) return first
  return rest.find((line) => line.trim() !== '') ?? first
}
