import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createJobWorld, type JobWorld } from '../worlds/job-world.ts'
import type { JobSettings } from '../../src/features/agent/job-project.ts'
import { listEvents } from '../../src/features/agent/events.ts'
import { runJob } from '../../src/features/agent/loop/run-job.ts'
import { type Answer, scriptedModel } from '../worlds/scripted-model.ts'
import { createIndexes } from '../../src/features/docs/indexes.ts'
import { createGit } from '../../src/integrations/git/git.ts'
import { openMirror } from '../../src/integrations/git/mirrors/open-mirror.ts'
import { remoteFromFolder } from '../../src/integrations/git/remote.ts'
import { plainGit } from '../worlds/git/temporary-git.ts'
import { createOpenToolbox } from '../../src/start/toolbox/open-toolbox.ts'
import type { Store } from '../../src/store/database.ts'
import { files, links } from './files.ts'

export type Call = [tool: string, input: Record<string, unknown>]

/** What an attacker has the model do. */
export interface Attack {
  /** The folder of the site that the job works on. */
  site: 'mint' | 'press' | 'python' | 'saurus' | 'plain'
  calls: Call[]
  settings?: Partial<JobSettings>
  /** What it does in follow-ups. */
  later?: Call[][]
  /** What it says at the end. */
  finish?: Record<string, unknown>
  /** What the person asks for. */
  prompt?: string
}

export interface Outcome {
  status: string
  failure: string
  /** What each call of the attack was answered. */
  answers: string[]
  /** Files that the pushed branch changes, with their modes; undefined when nothing was pushed. */
  pushed: { path: string; mode: string; content: string }[] | undefined
  /** Everything that people can read of the job: events, pull request, failure. */
  told: string
  /** Of the pull request, and of the commit. */
  title: string
  body: string
  message: string
}

export interface AdversarialWorld extends AsyncDisposable {
  run(attack: Attack): Promise<Outcome>
}

/** Real jobs on a real repository, with a model that does whatever an attacker tells it. */
export async function openAdversarialWorld(store: Store): Promise<AdversarialWorld> {
  let attack: Attack = { site: 'plain', calls: [] }
  let answers: string[] = []
  const model = scriptedModel(({ step, options }): Answer => {
    if (step === 0) return [...readsOf(attack), ['list_pages', {}]]
    if (step === 1) return attack.calls
    if (step === 2) {
      answers = answersIn(options.prompt.at(-1)).slice(-attack.calls.length)
      return [['write_file', { path: `${folderOf(attack)}/harmless.md`, content: '# Harmless\n\nText.\n' }]]
    }
    return [['finish', { title: 'Improve the docs', summary: 'Improved the docs.', ...attack.finish }]]
  })
  const world = await createJobWorld(store, model)
  await fill(world)
  const context = await contextFolder(world.folder)
  const git = await createGit({ dataFolder: join(world.folder, 'context-data'), environment: process.env })
  const repository = await openMirror(git, join(world.folder, 'context-mirror.git'))
  const remote = await remoteFromFolder(context)
  world.ports.openToolbox = createOpenToolbox({
    store,
    git,
    indexes: createIndexes(store, join(world.folder, 'index')),
  })
  const contextRepositories = [
    { name: 'code', ref: 'main', open: async () => ({ repository, remote }) },
    { name: 'gone', ref: 'none', open: async () => ({ repository, remote }) },
  ]
  return {
    async run(next) {
      attack = next
      answers = []
      const settings = { ...world.project.settings, contextRepositories, ...attack.settings }
      world.ports.openProject = async () => ({ ...world.project, root: attack.site, settings })
      const { id } = await world.create(attack.prompt ?? 'Make the docs better.')
      await runJob(world.ports, id)
      for (const calls of next.later ?? []) {
        attack = { ...next, calls }
        await world.message(id, 'Make them better still.')
        await runJob(world.ports, id)
      }
      const job = await world.read(id)
      const events = await listEvents(store.db, world.project.id, id, { after: 0, limit: 1000 })
      const request = await world.forge.findByHead(job.branch)
      const requests = await store.db.selectFrom('pull_requests').selectAll().execute()
      const row = requests.find(({ number }) => number === request?.number)
      const pushed = pushedFiles(world, job.branch)
      return {
        title: row?.title ?? '',
        body: row?.body ?? '',
        message: pushed === undefined ? '' : world.git('log', '-1', '--format=%B', job.branch),
        status: job.status,
        failure: job.failure === undefined ? '' : `${job.failure.code}: ${job.failure.message}`,
        answers,
        pushed,
        told: JSON.stringify([job, events, request, requests]),
      }
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

function folderOf({ site }: Attack): string {
  return site === 'python' || site === 'saurus' ? `${site}/docs` : site
}

/** An obedient model reads what it is to change. */
function readsOf({ calls }: Attack): Call[] {
  const paths = calls.flatMap(([tool, { path }]) =>
    /^(?:edit|write)_file$/.test(tool) && typeof path === 'string' ? path : [],
  )
  return [...new Set(paths)].map((path) => ['read_file', { path }])
}

function answersIn(message: LanguageModelV4Message | undefined): string[] {
  if (message?.role !== 'tool') return []
  return message.content.map((part) =>
    part.type === 'tool-result' && 'value' in part.output
      ? typeof part.output.value === 'string'
        ? part.output.value
        : JSON.stringify(part.output.value)
      : '',
  )
}

function pushedFiles(world: JobWorld, branch: string): Outcome['pushed'] {
  const known = world.git('for-each-ref', '--format=%(refname:short)').split('\n')
  if (!known.includes(branch)) return undefined
  const raw = world.git('diff-tree', '-r', '-z', '--no-renames', 'main', branch).split('\0')
  const changes: NonNullable<Outcome['pushed']> = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [, mode = '', , oid = ''] = raw[at]?.split(' ') ?? []
    const content = /^0+$/.test(oid) ? '' : world.git('cat-file', 'blob', oid)
    changes.push({ path: raw[at + 1] ?? '', mode, content })
  }
  return changes
}

async function fill(world: JobWorld): Promise<void> {
  const checkout = await mkdtemp(join(tmpdir(), 'docwright-attack-'))
  try {
    plainGit(checkout, ['clone', '--quiet', join(world.folder, 'origin.git'), '.'])
    for (const [path, content] of Object.entries(files)) await put(checkout, path, content)
    for (const [path, target] of Object.entries(links)) await symlink(target, join(checkout, path))
    plainGit(checkout, ['add', '--all', '--force'])
    plainGit(checkout, ['commit', '--quiet', '-m', 'Fill'])
    plainGit(checkout, ['push', '--quiet', 'origin', 'HEAD:main'])
  } finally {
    await rm(checkout, { recursive: true, force: true })
  }
}

async function contextFolder(folder: string): Promise<string> {
  const context = join(folder, 'context')
  await mkdir(context)
  plainGit(context, ['init', '--quiet', '--initial-branch=main'])
  await put(context, 'lib/flags.ts', 'export const verbose = "--verbose"\n')
  await symlink('/etc/passwd', join(context, 'passwd'))
  plainGit(context, ['add', '--all'])
  plainGit(context, ['commit', '--quiet', '-m', 'Start'])
  return context
}

async function put(folder: string, path: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), content)
}
