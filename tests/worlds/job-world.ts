import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRepository } from '../../src/integrations/git/mirrors/create-repository.ts'
import { createGit } from '../../src/integrations/git/git.ts'
import { openMirror } from '../../src/integrations/git/mirrors/open-mirror.ts'
import { remoteFromFolder } from '../../src/integrations/git/remote.ts'
import { copiesOf } from './git/copies-of.ts'
import { plainGit } from './git/temporary-git.ts'
import type { Forge } from '../../src/integrations/forges/forge.ts'
import { testMachine, type TestMachine } from './machine.ts'
import { createLocalForge } from '../../src/integrations/forges/local/local-forge.ts'
import type { LocalForgePorts } from '../../src/integrations/forges/local/local-project.ts'
import type { Model } from '../../src/integrations/models/model.ts'
import { newId } from '../../src/lib/ids.ts'
import type { Store } from '../../src/store/database.ts'
import type { JobProject, JobSettings } from '../../src/features/agent/job-project.ts'
import { getJob, type Job } from '../../src/features/agent/jobs.ts'
import { createJob, type NewJob } from '../../src/features/agent/create-job.ts'
import { addMessage } from '../../src/features/agent/add-message.ts'
import { listEvents } from '../../src/features/agent/events.ts'
import { defaultLimits } from '../../src/features/agent/turns/budget.ts'
import type { RunPorts } from '../../src/features/agent/turns/turn-run.ts'
import { assessRange } from '../../src/features/impact/assess-range.ts'
import { createImpactThread } from '../../src/features/impact/impact-thread.ts'
import { scriptedModels } from './scripted-model.ts'
import { recordLocalState } from '../../src/features/agent/publish/record-publication.ts'
import { openTestToolbox } from './toolbox.ts'

/** For tests: a project with a real repository, and everything that a job of it needs. */
export interface JobWorld extends AsyncDisposable {
  folder: string
  project: JobProject
  ports: RunPorts
  machine: TestMachine
  forgePorts: LocalForgePorts
  forge: Forge
  /** git as a person runs it, in the project's repository. */
  git: (...args: string[]) => string
  create: (prompt: string, more?: Partial<NewJob>) => Promise<Job>
  message: (jobId: string, prompt: string) => Promise<Job>
  read: (jobId: string) => Promise<Job>
  eventTypes: (jobId: string) => Promise<string[]>
  /** The mirror as it is after its folder was lost. */
  loseMirror: () => Promise<void>
}

const impactThread = createImpactThread()
const author = { name: 'Docwright', email: 'docwright@example.com' }

export async function createJobWorld(store: Store, model: Model): Promise<JobWorld> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'docwright-job-')))
  await fill(folder)
  const id = newId('prj')
  await store.transaction(async (tx) => {
    const organization_id = newId('org')
    await tx.insertInto('organizations').values({ id: organization_id, name: 'Test' }).execute()
    await tx
      .insertInto('projects')
      .values({
        id,
        organization_id,
        domain: domainOf(id),
        kind: 'path',
        location: folder,
        ref: 'main',
        root: '',
      })
      .execute()
  })
  return openJobWorld(store, model, { folder, projectId: id })
}

const fill = copiesOf(async (folder) => {
  const git = await createGit({ dataFolder: join(folder, 'data'), environment: process.env })
  await createRepository(git, join(folder, 'origin.git'), {
    branch: 'main',
    files: Object.entries(pages).map(([path, text]) => ({ path, content: Buffer.from(text) })),
    message: 'Start',
    author,
    date: new Date('2026-01-02T03:04:05Z'),
  })
  await openMirror(git, join(folder, 'mirror.git'))
  // Its files name folders, and each world makes its own.
  await rm(join(folder, 'data'), { recursive: true })
})

/** The same world again, in another process or on a store that was opened anew. */
export async function openJobWorld(
  store: Store,
  model: Model,
  { folder, projectId: id }: { folder: string; projectId: string },
): Promise<JobWorld> {
  const git = await createGit({ dataFolder: join(folder, 'data'), environment: process.env })
  const project: JobProject = {
    id,
    domain: domainOf(id),
    ref: 'main',
    formerRefs: [],
    root: '',
    framework: undefined,
    settings: plainSettings,
    repository: await openMirror(git, join(folder, 'mirror.git')),
    remote: await remoteFromFolder(join(folder, 'origin.git')),
  }
  const forgePorts: LocalForgePorts = {
    store,
    onStateChange: recordLocalState,
  }
  const forge = createLocalForge(forgePorts, project)
  const machine = testMachine()
  const ports: RunPorts = {
    store,
    queue: { send: () => Promise.resolve() },
    othersWait: () => Promise.resolve(false),
    models: scriptedModels(model),
    machine,
    openProject: (projectId) => Promise.resolve(projectId === id ? project : undefined),
    forgeFor: () => forge,
    followDefault: () => Promise.resolve(undefined),
    askHostWhy: () => Promise.resolve(undefined),
    openToolbox: openTestToolbox,
    // The pages that a prompt names; a real server searches too.
    impact: (input) => assessRange(impactThread, input),
    likelyPages: (_, prompt) => Promise.resolve(prompt.match(/[\w-]+\.md/g) ?? []),
    author,
    jobLink: (_, jobId) => `http://127.0.0.1:4000/projects/${project.domain}/jobs/${jobId}`,
    limits: defaultLimits,
    stopping: new AbortController().signal,
  }
  return {
    folder,
    project,
    ports,
    machine,
    forgePorts,
    forge,
    git: (...args) => plainGit(join(folder, 'origin.git'), args),
    create: (prompt, more) => createJob(ports, project, { prompt, ...more }, noLimit),
    message: async (jobId, prompt) => required(await addMessage(ports, project, jobId, { prompt }, noLimit)),
    read: async (jobId) => required(await getJob(store.db, id, jobId)),
    eventTypes: async (jobId) =>
      (await listEvents(store.db, id, jobId, { after: 0, limit: 1000 })).map((event) => event.type),
    async loseMirror() {
      await rm(project.repository.folder, { recursive: true })
      await openMirror(git, project.repository.folder)
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

function domainOf(projectId: string): string {
  return `docs-${projectId.slice(-12)}`
}

const pages = {
  'index.md': '# Start\n\nWelcome.\n',
  'guide.md': '# Guide\r\n\r\nUse Acme.\r\n',
}

export async function noLimit(): Promise<void> {}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('expected to be there')
  return value
}

const plainSettings: JobSettings = {
  model: undefined,
  branchPrefix: 'docwright/',
  signOff: 'off',
  budget: {},
  onProblems: 'draft',
  allow: [],
  protect: [],
  allowedHosts: [],
  allowedImports: [],
  allowedParts: [],
  strict: false,
  pullRequest: { draft: false, labels: [], reviewers: [], assignees: [] },
  contextRepositories: [],
}
