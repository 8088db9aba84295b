import { readdir, readFile, realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { createRepository } from '../integrations/git/mirrors/create-repository.ts'
import type { Git } from '../integrations/git/git.ts'
import { createKey } from '../nouns/keys/table.ts'
import {
  insertOrganization,
  listOrganizations,
  resolveOrganization,
} from '../features/projects/organizations.ts'
import { findProjectByDomain, insertProject, type Project } from '../features/projects/projects.ts'
import { createSignInLink } from '../features/projects/sign-in.ts'
import type { Store } from '../store/database.ts'
import type { Queue } from '../store/queue.ts'
import type { Config } from '../config.ts'
import { dataPaths } from './data-folder.ts'

/** What the first start shows once. */
export interface Welcome {
  signInToken: string
  adminKey: string
  demo: { project: Project; assistantKey: string } | undefined
}

interface Dependencies {
  config: Config
  store: Store
  queue: Queue
  git: Git
}

const demoDomain = 'docwright'
const docsFolder = fileURLToPath(new URL('../../docs/', import.meta.url))

/**
 * Makes the default organization, its admin key and the demo project, once per database, whichever process is first.
 * @returns undefined on every later start.
 */
export async function firstRun(dependencies: Dependencies, withDemo: boolean): Promise<Welcome | undefined> {
  const { store, queue } = dependencies
  if ((await listOrganizations(store.db)).length > 0) return undefined
  const demo = withDemo ? await createDemoRepository(dependencies) : undefined
  return store.transaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(5303418)`.execute(tx)
    if ((await listOrganizations(tx)).length > 0) return undefined
    const organization = await insertOrganization(tx, 'Default', true)
    const admin = await createKey(tx, {
      kind: 'admin',
      organizationId: organization.id,
      name: 'First admin key',
    })
    const welcome = {
      adminKey: admin.secret,
      signInToken: await createSignInLink(tx, 24),
    }
    if (demo === undefined) return { ...welcome, demo: undefined }
    const project = await insertProject(tx, {
      organizationId: organization.id,
      domain: demoDomain,
      kind: 'path',
      isDemo: true,
      location: demo,
      ref: 'main',
      root: '',
      visibility: 'public',
    })
    await queue.send(tx, 'sync', project.id)
    const assistant = await createKey(tx, {
      kind: 'assistant',
      organizationId: organization.id,
      projectId: project.id,
      name: 'First assistant key',
    })
    return { ...welcome, demo: { project, assistantKey: assistant.secret } }
  })
}

/** Keys that the environment provides; known ones stay as they are, revoked ones stay revoked. */
export async function provisionKeys({ store, config, log }: Dependencies & { log: Logger }): Promise<void> {
  if (config.adminKey !== undefined) {
    const organization = await resolveOrganization(store.db)
    const { adminKey } = config
    await store.transaction((tx) =>
      createKey(
        tx,
        { kind: 'admin', organizationId: organization.id, name: 'From the environment' },
        adminKey,
      ),
    )
  }
  for (const { domain, key } of config.assistantKeys) {
    const project = await findProjectByDomain(store.db, domain)
    if (!project) {
      log.warn(
        { domain },
        'DOCWRIGHT_ASSISTANT_KEYS names a project that does not exist; restart once it is added',
      )
      continue
    }
    await store.transaction((tx) =>
      createKey(
        tx,
        {
          kind: 'assistant',
          organizationId: project.organizationId,
          projectId: project.id,
          name: 'From the environment',
        },
        key,
      ),
    )
  }
}

async function createDemoRepository({ config, git }: Dependencies): Promise<string> {
  const folder = join(dataPaths(config.dataFolder).repositories, `${demoDomain}.git`)
  await createRepository(git, folder, {
    branch: 'main',
    files: await readFolder(docsFolder),
    message: 'Add the documentation',
    author: config.committer,
    date: new Date(),
  })
  return realpath(folder)
}

async function readFolder(folder: string): Promise<{ path: string; content: Uint8Array }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    files.sort().map(async (file) => ({
      path: relative(folder, file).replaceAll('\\', '/'),
      content: await readFile(file),
    })),
  )
}
