import { randomBytes } from 'node:crypto'
import { mkdtemp, realpath, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import { nameSite } from '../../src/features/connections/named-sites.ts'
import { insertProject, type Project } from '../../src/features/projects/projects.ts'
import { fetchMirror } from '../../src/integrations/git/mirrors/fetch-mirror.ts'
import type { Repository } from '../../src/integrations/git/git.ts'
import { createPreparedDatabase } from '../prepared-stores.ts'
import { startGitServer } from './git/git-server.ts'
import { plainGit, temporaryFolder } from './git/temporary-git.ts'
import { newId } from '../../src/lib/ids.ts'
import { json } from '../../src/store/database.ts'
import { dataPaths } from '../../src/start/data-folder.ts'
import { openServices } from '../../src/start/open-services.ts'
import type { Services } from '../../src/start/services.ts'

export interface MirrorWorld {
  services: Services
  /** The repository that every project's address leads to: 700 kB of noise on `main`. */
  origin: string
  addressOf: (name: string) => string
  /** A project that is synced, and has not got its mirror yet. */
  add: (name: string, more?: { kind: 'path' }) => Promise<Project>
  /** A job of it. */
  addJob: (
    project: Project,
    more: { status: 'active' | 'completed'; base?: string; head?: string },
  ) => Promise<string>
  /** Its mirror, fetched and last needed that many hours ago. */
  fill: (project: Parameters<Services['mirror']>[0], hours: number) => Promise<Repository>
}

/** For tests: real services in a data folder of their own, on a store as `openTestStore` has it. */
export async function openTestServices(): Promise<Services> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'docwright-services-')))
  const config = readConfig({
    DOCWRIGHT_DATA: folder,
    LOG_LEVEL: 'silent',
    ...(process.env['TEST_ALL'] === undefined && { DATABASE_URL: await createPreparedDatabase() }),
  })
  const services = await openServices(config, process.env, { run: (_, work) => work() })
  return {
    ...services,
    async close() {
      await services.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** For tests: services without projects and mirrors, and a git host with one repository under many names. */
export async function createMirrorWorld(shared: Services, maxMegabytes?: number): Promise<MirrorWorld> {
  const folder = await temporaryFolder()
  const origin = join(folder, 'origin.git')
  plainGit('/', ['init', '-q', '--bare', '-b', 'main', origin])
  const blob = plainGit(origin, ['hash-object', '-w', '--stdin'], randomBytes(700_000))
  const tree = plainGit(origin, ['mktree'], `100644 blob ${blob}\tnoise.bin\n`)
  plainGit(origin, ['update-ref', 'refs/heads/main', plainGit(origin, ['commit-tree', tree, '-m', 'Start'])])
  const server = await startGitServer(origin)
  const mirrorsBytes = maxMegabytes === undefined ? undefined : maxMegabytes * 1024 ** 2
  const services: Services = { ...shared, config: { ...shared.config, mirrorsBytes } }
  await rm(dataPaths(shared.config.dataFolder).mirrors, { recursive: true, force: true })
  const { store } = services
  const organizationId = newId('org')
  await store.transaction(async (tx) => {
    await tx.deleteFrom('projects').execute()
    await tx.insertInto('organizations').values({ id: organizationId, name: 'Test' }).execute()
  })
  const addressOf = (name: string): string => `http://127.0.0.1:${server.port}/${name}.git`
  await nameSite(store, addressOf('any'))
  return {
    services,
    origin,
    addressOf,
    add: (name, more) =>
      store.transaction(async (tx) => {
        const location = more?.kind === 'path' ? origin : addressOf(name)
        const kind = more?.kind ?? 'https'
        const project = await insertProject(tx, {
          organizationId,
          domain: name,
          kind,
          location,
          ref: 'main',
          root: '',
          site: undefined,
        })
        await tx.updateTable('projects').set({ sync_state: 'ready' }).where('id', '=', project.id).execute()
        return project
      }),
    addJob: (project, { status, base, head }) =>
      store.transaction(async (tx) => {
        const job = {
          id: newId('job'),
          project_id: project.id,
          status,
          model: 'builtin',
          base: 'main',
          branch: 'docwright/a',
          draft: false,
          base_commit: base ?? null,
          head_commit: head ?? null,
          budget: json(null),
          pull_request: json(
            head === undefined ? null : { link: 'https://host/pulls/7', number: 7, state: 'merged' },
          ),
          failure: json(null),
          checks: json([]),
          changes: json([]),
        } as const
        await tx.insertInto('jobs').values(job).execute()
        return job.id
      }),
    async fill(project, hours) {
      const repository = await services.mirror(project)
      await fetchMirror(
        repository,
        await services.remote({ id: 'none', settings: {}, formerBranchPrefixes: [], ...project }),
      )
      await services.mirror(project)
      const then = new Date(Date.now() - hours * 3_600_000)
      await utimes(join(repository.folder, 'docwright-used'), then, then)
      return repository
    },
  }
}
