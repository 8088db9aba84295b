import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { addMessage } from '../../src/features/agent/add-message.ts'
import { createJob } from '../../src/features/agent/create-job.ts'
import { createAutomationEngine, type AutomationEngine } from '../../src/features/automations/engine.ts'
import { insertAutomation } from '../../src/features/automations/automations.ts'
import { readRule } from '../../src/features/automations/rules/read-rule.ts'
import { listRuns, type Run } from '../../src/features/automations/runs.ts'
import type { StartPorts, TouchedPages } from '../../src/features/automations/start/ports.ts'
import type { CodeRequest } from '../../src/integrations/forges/host.ts'
import { createGit, type Repository } from '../../src/integrations/git/git.ts'
import { listReferences } from '../../src/integrations/git/remotes/list-references.ts'
import { AppError } from '../../src/lib/errors.ts'
import type { Store } from '../../src/store/database.ts'
import { createBareRepository } from '../repository.ts'
import { plainGit } from './git/temporary-git.ts'
import { testMachine } from './machine.ts'
import { insertProject } from './project.ts'
import { scriptedModels } from './scripted-model.ts'

/** For tests: a project whose rules look at a real repository, and whose jobs are made but not worked on. */
export interface RuleWorld {
  projectId: string
  folder: string
  repository: Repository
  ports: StartPorts
  /** A process of its own, as far as the database sees. */
  engine(over?: Partial<StartPorts>): AutomationEngine
  rule(text: string): Promise<string>
  /** Commits a file as a person, or as the author that is given. */
  commit(
    path: string,
    content: string,
    options?: { message?: string; author?: string; branch?: string },
  ): string
  runs(): Promise<Run[]>
  /** Runs that wait are due now. */
  makeDue(): Promise<void>
  /** What the next changes touch. */
  touched: TouchedPages
  /** Pages in open pull requests of others. */
  elsewhere: ReadonlyMap<string, number>
  /** Open pull requests of its host. */
  requests: CodeRequest[]
  /** How pull requests that its host lists no more have ended. */
  ended: Map<number, 'merged' | 'closed'>
  /** What pull requests of jobs have followed. */
  followed: { jobId: string; state: string }[]
  /** What speaks against merging. */
  against: string[]
  /** Jobs whose pull request was merged. */
  merged: string[]
  /** Whether its host answers nothing. */
  isAway: boolean
  /** Comments that the host was told, by their markers: the newest text of each. */
  said: { marker: string; body: string; number: number; edits: number }[]
  statuses: { commit: string; description: string }[]
  errors: unknown[]
  now: Date
}

export const ownAddress = 'docwright@example.com'

export async function createRuleWorld(store: Store): Promise<RuleWorld> {
  const folder = await createBareRepository({ 'index.md': '# Start\n', 'src/a.ts': 'export const a = 1\n' })
  const projectId = await insertProject(store)
  await store.transaction((tx) =>
    tx.updateTable('projects').set({ location: folder }).where('id', '=', projectId).execute(),
  )
  const dataFolder = await mkdtemp(join(tmpdir(), 'docwright-rules-'))
  const repository = { git: await createGit({ dataFolder, environment: process.env }), folder }
  const models = scriptedModels('none' as never)
  const jobPorts = { store, queue: { send: () => Promise.resolve() }, models, machine: testMachine() }
  const project = { id: projectId, location: folder, ref: 'main', settings: {} }
  const ports: StartPorts = {
    store,
    openProject: (id) => Promise.resolve(id === projectId ? project : undefined),
    touchedBy: () => Promise.resolve(world.touched),
    brokenLinks: () => Promise.resolve({ pages: 1, problems: [] }),
    gapWork: () => Promise.resolve(undefined),
    openElsewhere: () => Promise.resolve(world.elsewhere),
    stalePages: () => Promise.resolve([]),
    hasOnlyBuiltIn: () => Promise.resolve(false),
    async createJob(_, rule, by, work, { begin, finish }) {
      const input = {
        ...work,
        draft: work.isAhead === true || rule.draft,
        askedBy: { kind: 'automation', ...by } as const,
      }
      await createJob(jobPorts, project, input, finish, begin)
    },
    async addFollowUp(_, jobId, by, work, { begin, finish }) {
      const input = { ...work, askedBy: { kind: 'automation', ...by } as const }
      return (await addMessage(jobPorts, project, jobId, input, finish, begin)) !== undefined
    },
  }
  const world: RuleWorld = {
    projectId,
    folder,
    repository,
    ports,
    touched: { commits: 1, edited: [], pages: [], markdown: '**0 certain**' },
    elsewhere: new Map(),
    requests: [],
    ended: new Map(),
    followed: [],
    isAway: false,
    against: [],
    merged: [],
    said: [],
    statuses: [],
    errors: [],
    now: new Date(),
    engine: (over = {}) =>
      createAutomationEngine({
        ...ports,
        ...over,
        ownEmails: [ownAddress],
        interval: 60,
        watched: (_, name) =>
          Promise.resolve({
            name,
            location: folder,
            ref: 'main',
            list: () => listReferences(repository),
            open: () => Promise.resolve(repository),
            requests: () => Promise.resolve(world.requests),
            stateOfRequest: (number) => Promise.resolve(world.ended.get(number) ?? 'open'),
          }),
        hosted: () =>
          Promise.resolve({
            codeRequests: {
              list: () => Promise.resolve(world.requests),
              async keepComment(number, body, marker, onlyEdit = false) {
                if (world.isAway) throw new Error('The host is away')
                const present = world.said.find((one) => one.marker === marker)
                if (present) Object.assign(present, { body, edits: present.edits + 1 })
                else if (!onlyEdit) world.said.push({ marker, body, number, edits: 0 })
              },
            },
            setStatus: (commit, { description }) =>
              Promise.resolve(void world.statuses.push({ commit, description })),
          }),
        async mergeIfReady({ jobId }) {
          if (world.isAway) throw new AppError('unavailable', 'The host is away')
          if (world.against.length === 0) world.merged.push(jobId)
          return world.against
        },
        async followCode({ jobId, state }) {
          if (world.isAway) throw new AppError('unavailable', 'The host is away')
          world.followed.push({ jobId, state })
          return `It was ${state}.`
        },
        automationsLink: () => Promise.resolve('https://docs.example.com/projects/docs/automations'),
        now: () => world.now,
        reportError: (error) => void world.errors.push(error),
        stopping: new AbortController().signal,
      }),
    async rule(text) {
      const read = readRule(text)
      if (read.rule === undefined) throw new Error(read.problems.join('\n'))
      return store.transaction((tx) =>
        insertAutomation(tx, projectId, { source: text, read, author: undefined }),
      )
    },
    commit(
      path,
      content,
      { message = `Change ${path}`, author = 'Mara <mara@example.com>', branch = 'main' } = {},
    ) {
      const block = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`
      plainGit(
        folder,
        ['fast-import', '--quiet', '--date-format=now'],
        `commit refs/heads/${branch}\ncommitter ${author} now\n${block(message)}from refs/heads/${branch}^0\nM 100644 inline ${path}\n${block(content)}\n`,
      )
      return plainGit(folder, ['rev-parse', branch])
    },
    runs: async () => (await listRuns(store.db, projectId, { limit: 100 })).runs,
    makeDue: () =>
      store.transaction(async (tx) => {
        await tx
          .updateTable('automation_runs')
          .set({ due_at: sql<Date>`now()` })
          .where('project_id', '=', projectId)
          .where('due_at', 'is not', null)
          .execute()
      }),
  }
  return world
}
