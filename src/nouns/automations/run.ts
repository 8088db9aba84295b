import { readAboutChange } from '../../features/agent/about-change.ts'
import * as rules from '../../features/automations/automations.ts'
import { missingRepositories } from '../../features/automations/events/repositories.ts'
import { readRule } from '../../features/automations/rules/read-rule.ts'
import * as runs from '../../features/automations/runs.ts'
import { callRule } from '../../features/automations/start/call-rule.ts'
import type { StartPorts } from '../../features/automations/start/ports.ts'
import { askedBy } from '../../features/projects/allow.ts'
import type { Project } from '../../features/projects/projects.ts'
import { readKey } from '../../api/idempotency-key.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Store } from '../../store/database.ts'
import { deed } from '../../verbs/verb.ts'
import type { AutomationBody, RunBody } from './answers.ts'
import * as verbs from './verbs.ts'
import { causeWords, triggersOf } from './words.ts'

interface Stored {
  store: Store
}

export interface AutomationPorts extends Stored {
  automationStart: StartPorts
  stopping: AbortSignal
}

const listAutomations = deed(verbs.listAutomations, async ({ store }: Stored, { project }) => ({
  automations: (await rules.listAutomations(store.db, project.id)).map((one) =>
    presentAutomation(project, one),
  ),
}))

const getAutomation = deed(verbs.getAutomation, async ({ store }: Stored, { project }, { automation }) =>
  presentAutomation(project, await rules.getAutomation(store.db, project.id, automation)),
)

export const createAutomation = deed(
  verbs.createAutomation,
  async ({ store }: Stored, { project, caller }, { source }) => {
    const read = readRule(source)
    const author = askedBy(caller)
    const id = await store.transaction((tx) =>
      rules.insertAutomation(tx, project.id, { source, read, author }),
    )
    return presentAutomation(project, await rules.getAutomation(store.db, project.id, id))
  },
)

export const changeAutomation = deed(
  verbs.changeAutomation,
  async ({ store }: Stored, { project }, { automation: id, source, enabled }) => {
    const content = source === undefined ? undefined : { source, read: readRule(source) }
    await store.transaction(async (tx) => {
      const automation = await rules.getAutomation(tx, project.id, id)
      if (content) requireOwn(automation)
      await rules.updateAutomation(tx, automation, { content, isOn: enabled })
    })
    return presentAutomation(project, await rules.getAutomation(store.db, project.id, id))
  },
)

export const deleteAutomation = deed(
  verbs.deleteAutomation,
  async ({ store }: Stored, { project }, { automation: id }) =>
    store.transaction(async (tx) => {
      const automation = await rules.getAutomation(tx, project.id, id)
      requireOwn(automation)
      await rules.removeAutomation(tx, automation.id)
      return presentAutomation(project, automation)
    }),
)

export const runAutomation = deed(
  verbs.runAutomation,
  async (
    { store, automationStart, stopping }: AutomationPorts,
    { project, caller, context },
    { automation: id, change },
  ) => {
    const automation = await rules.getAutomation(store.db, project.id, id)
    const key = readKey(context)
    const about = change === undefined ? undefined : readAboutChange(change)
    const run = await callRule(automationStart, automation, {
      key: `call ${key ?? newId('run')}`,
      about,
      by: askedBy(caller),
      signal: stopping,
    })
    return { schemaId: automation.id, instanceId: run.id, jobId: run.jobId }
  },
)

const listRuns = deed(
  verbs.listRuns,
  async ({ store }: Stored, { project }, { automation, state, cursor, limit }) => {
    const page = await runs.listRuns(store.db, project.id, { automationId: automation, state, cursor, limit })
    return { runs: page.runs.map(presentRun), nextCursor: page.nextCursor ?? null }
  },
)

const getRun = deed(verbs.getRun, async ({ store }: Stored, { project }, { run }) =>
  presentRun(await runs.getRun(store.db, project.id, run)),
)

export const automationDeeds = [
  listAutomations,
  getAutomation,
  createAutomation,
  changeAutomation,
  deleteAutomation,
  runAutomation,
  listRuns,
  getRun,
]

function requireOwn({ path }: rules.Automation): void {
  if (path !== undefined)
    throw new AppError('conflict', `This automation is the file ${path} of the repository. Change it there`)
}

export function presentAutomation(project: Project, one: rules.Automation): AutomationBody {
  const { rule } = one
  return {
    id: one.id,
    name: one.name,
    type: rule?.type ?? null,
    enabled: one.isOn,
    path: one.path ?? null,
    source: one.source,
    triggers: rule ? triggersOf(rule) : [],
    problems: rule ? [] : one.problems,
    notes: rule ? [...one.problems, ...missingRepositories(project, rule)] : [],
    nextAt: one.nextAt?.toISOString() ?? null,
    createdAt: one.createdAt.toISOString(),
    changedAt: one.changedAt.toISOString(),
  }
}

export function presentRun(run: runs.Run): RunBody {
  const { cause, job } = run
  return {
    id: run.id,
    automation: run.automation,
    state: run.state,
    cause: {
      kind: cause.kind,
      words: causeWords(cause),
      repository: cause.repository ?? null,
      from: cause.from ?? null,
      to: cause.to ?? null,
      number: cause.number ?? null,
      title: cause.title ?? null,
    },
    reasons: run.reasons,
    jobId: job?.id ?? null,
    turn: job?.turn ?? null,
    pullRequest: job?.pullRequest ?? null,
    cost: run.cost ?? null,
    dueAt: run.dueAt?.toISOString() ?? null,
    createdAt: run.createdAt.toISOString(),
    finishedAt: run.finishedAt?.toISOString() ?? null,
  }
}
