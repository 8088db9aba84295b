import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { promptOfChange } from '../../features/agent/about-change.ts'
import type { DocsNotion } from '../../features/impact/docs-notion.ts'
import type { PastChange } from '../../features/impact/past-changes.ts'
import type { Repository } from '../../integrations/git/git.ts'
import { diffTrees } from '../../integrations/git/trees/diff-trees.ts'
import { randomText } from '../../lib/ids.ts'
import { ask } from '../../verbs/terminal.ts'
import { addProject, changeSettings, removeProject } from '../projects/verbs.ts'
import { eventAnswer, type jobBody } from '../jobs/answers.ts'
import { cancelJob, createJob, getJob, listTurns } from '../jobs/verbs.ts'
import type { Answer } from '../../cli/read-answer.ts'
import type { ServerClient } from '../../cli/server-client.ts'
import type { CodeThen } from './code-then.ts'
import { branchOfCopy, copyBefore, copyUpTo } from './copy-before.ts'
import { agreementOf, readChangedLines, type Agreement } from './measure.ts'

/** What is measured: a model, and settings of the project. */
export interface Configuration {
  name: string
  /** The one of `DOCWRIGHT_MODEL` when absent. */
  model: string | undefined
  settings: Record<string, unknown>
}

/** What one job used at most. */
export interface CaseBudget {
  minutes: number
  cost: number | undefined
  tokens: number | undefined
}

/** What came of one past change in one configuration. */
export interface CaseResult {
  /** Of the job, `timed_out`, or `unavailable` when it waited for its model or this machine for too long. */
  outcome: string
  /** Why it failed, or what the agent said of its work. */
  said: string
  pages: string[]
  scores: Agreement & { documented?: number; silent?: number; clean?: number }
  /** Problems that its checks left. */
  problems: number
  /** Files or parts that the policy did not let through. */
  refusals: number
  steps: number
  /** In and out together. */
  tokens: number
  /** USD; null when a price is not known. */
  cost: number | null
  seconds: number
  /** It reached its budget of steps, tokens, cost or minutes. */
  isOverBudget?: boolean
  /** It says nothing of the model: a later run repeats it. */
  isToBeRepeated: boolean
}

export interface CaseWorld {
  client: ServerClient
  source: Repository
  code: CodeThen | undefined
  notion: DocsNotion
  root: string
  /** For copies, which are removed. */
  folder: string
  signal: AbortSignal
  note(line: string): void
}

type Job = Answer<typeof jobBody>
const events = z.object({ events: z.array(eventAnswer) })

const pollEvery = 500
/** Beyond the budget of minutes: fetching, publishing and waiting for a model. */
const grace = 120_000
/** For a model that cannot be reached, before it is given up. */
const patience = 10 * 60_000
const workFailures = new Set([
  'policy',
  'budget',
  'checks',
  'loop',
  'refused',
  'conflict',
  'nothing_to_merge',
])
const longestPrompt = 20_000
const longestSaid = 1000
const codeName = 'code'

/** Runs one job on a copy that ends before the change, and compares what it did with what people did. */
export async function runCase(
  world: CaseWorld,
  change: PastChange,
  configuration: Configuration,
  budget: CaseBudget,
): Promise<CaseResult> {
  const { client, source, signal } = world
  const place = join(world.folder, `case-${randomText(12).toLowerCase()}`)
  const own = join(place, 'docs.git')
  let domain: string | undefined
  try {
    const { head, message } = await copyBefore(source, own, change, world.notion)
    signal.throwIfAborted()
    const project = await ask(client, addProject, {
      location: own,
      domain: `case-${change.commit.slice(0, 10)}-${randomText(6).toLowerCase()}`,
      ref: branchOfCopy,
      ...(world.root !== '' && { root: world.root }),
    })
    domain = project.domain
    const brought = await bringCode(world, change, message, place)
    const settings = { ...configuration.settings, ...brought.settings }
    if (Object.keys(settings).length > 0) await ask(client, changeSettings, { ...settings, domain })
    const began = performance.now()
    const created = await ask(client, createJob, {
      projectId: project.id,
      ...(change.kind === 'docs'
        ? { prompt: promptOf(message), about: brought.about }
        : { prompt: promptOfChange, about: { commit: head } }),
      ...(configuration.model !== undefined && { model: configuration.model }),
      budget: { minutes: budget.minutes, cost: budget.cost, tokens: budget.tokens },
    })
    const job = { projectId: project.id, id: created.id }
    const path = `/v2/agent/${project.id}/job/${created.id}`
    const until = began + budget.minutes * 60_000 + grace
    const { ended, trouble } = await waitFor(world, job, until)
    const seconds = (performance.now() - began) / 1000
    const diff = await (await client.request('GET', `${path}/diff`)).text()
    const [last] = (await ask(client, listTurns, job)).turns
    const isLate = ended.status === 'active'
    if (isLate) await ask(client, cancelJob, job)
    const { usage, checks, failure } = ended
    const outcome = trouble !== undefined ? 'unavailable' : isLate ? 'timed_out' : outcomeOf(ended)
    const pages = pagesOf(ended).filter((one) => world.notion.isMeasured(one))
    const said = isLate
      ? (trouble ?? ended.waiting?.message ?? 'It was not done in time')
      : (failure?.message ?? ended.question?.text ?? last?.summary ?? '')
    const steps = await countSteps(client, path)
    const isToBeRepeated = isLate || (failure !== null && !isOfWork(failure.code, steps))
    return {
      outcome,
      // The copy is gone when this is read.
      said: said.replaceAll(own, source.folder).slice(0, longestSaid).toWellFormed(),
      pages,
      scores: isToBeRepeated
        ? {}
        : await scoresOf(world, change, { outcome, pages, diff, problems: checks.length }),
      problems: checks.length,
      refusals: Math.max(
        checks.filter(({ check }) => check === 'policy').length,
        failure?.code === 'policy' ? Math.max(1, failure.files?.length ?? 0) : 0,
      ),
      steps,
      tokens: usage.inputTokens + usage.outputTokens,
      cost: usage.cost,
      seconds,
      ...(failure?.code === 'budget' && { isOverBudget: true }),
      isToBeRepeated,
    }
  } finally {
    // Without a server there is nothing left to remove.
    if (domain !== undefined) await ask(client, removeProject, { domain }).catch(() => undefined)
    await rm(place, { recursive: true, force: true })
  }
}

/** A commit that changed the documentation alone: its message is all that there was to go by. */
function promptOf(message: string): string {
  return `Make the change to the documentation that this commit message describes:\n\n${message.slice(0, longestPrompt).toWellFormed()}`
}

/** The code of another repository as it was then, as a context repository, and what of it the change is about. */
async function bringCode(
  { code }: CaseWorld,
  change: PastChange,
  message: string,
  place: string,
): Promise<{ settings: Record<string, unknown>; about: object | undefined }> {
  const then = await code?.endFor(change, message)
  if (code === undefined || then === undefined) return { settings: {}, about: undefined }
  const location = join(place, 'code.git')
  await copyUpTo(code.repository, location, then.end)
  return {
    settings: { contextRepositories: [{ name: codeName, location, ref: branchOfCopy }] },
    about: then.about === undefined ? undefined : { repository: codeName, commit: then.about },
  }
}

async function waitFor(
  { client, signal, note }: CaseWorld,
  place: { projectId: string; id: string },
  until: number,
): Promise<{ ended: Job; trouble: string | undefined }> {
  let away: { since: number; tokens: number; message: string } | undefined
  for (;;) {
    const ended = await ask(client, getJob, place)
    const { waiting, usage, status } = ended
    const now = performance.now()
    const tokens = usage.inputTokens + usage.outputTokens
    // Between two tries it waits for nothing.
    if (away?.tokens !== tokens) away = undefined
    if (waiting !== null && away === undefined) {
      note(waiting.message)
      away = { since: now, tokens, message: waiting.message }
    }
    const trouble =
      status === 'active' && away !== undefined && now - away.since > patience ? away.message : undefined
    if (status !== 'active' || trouble !== undefined || now > until) return { ended, trouble }
    await delay(pollEvery, undefined, { signal })
  }
}

/** Whether a failure says something of the model: not of a repository that cannot be read, or a key that is refused. */
function isOfWork(code: string, steps: number): boolean {
  return workFailures.has(code) || (code === 'model_error' && steps > 0)
}

function outcomeOf({ outcome, state, status }: Job): string {
  if (state === 'not_understood' || state === 'cancelled') return state
  return outcome ?? status
}

function pagesOf({ changes }: Job): string[] {
  return [...new Set(changes.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [oldPath, path])))]
}

async function scoresOf(
  { source }: CaseWorld,
  { commit, parent, kind, pages }: PastChange,
  did: { outcome: string; pages: string[]; diff: string; problems: number },
): Promise<CaseResult['scores']> {
  const clean = did.outcome === 'changed' ? { clean: did.problems === 0 ? 1 : 0 } : {}
  // Who understood nothing, or failed, was not silent: it says nothing of its judgement.
  if (kind === 'silent') {
    if (did.outcome === 'no_change') return { silent: 1 }
    return did.outcome === 'changed' || did.outcome === 'needs_input' ? { silent: 0, ...clean } : {}
  }
  const { text } = await diffTrees(source, parent, commit, { paths: pages, context: 0 })
  const agreement = agreementOf(
    { pages, lines: readChangedLines(text) },
    { pages: did.pages, lines: readChangedLines(did.diff) },
  )
  return { documented: did.pages.length > 0 ? 1 : 0, ...agreement, ...clean }
}

async function countSteps(client: ServerClient, path: string): Promise<number> {
  let steps = 0
  for (let after = 0; ;) {
    const page = await client.read(events, 'GET', `${path}/events?after=${after}`)
    const last = page.events.at(-1)
    if (last === undefined) return steps
    steps += page.events.filter(({ type }) => type === 'step').length
    after = last.id
  }
}
