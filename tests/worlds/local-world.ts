import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../../src/lib/ids.ts'
import type { Store } from '../../src/store/database.ts'
import { createRepository } from '../../src/integrations/git/mirrors/create-repository.ts'
import { createGit } from '../../src/integrations/git/git.ts'
import { openMirror } from '../../src/integrations/git/mirrors/open-mirror.ts'
import { remoteFromFolder } from '../../src/integrations/git/remote.ts'
import { copiesOf } from './git/copies-of.ts'
import { importCommit } from './git/import-commit.ts'
import { plainGit, someone, text } from './git/temporary-git.ts'
import type { ForgeWorld } from './hosts/forge-contract.ts'
import { closePullRequest } from '../../src/integrations/forges/local/pull-request-state.ts'
import { createLocalForge } from '../../src/integrations/forges/local/local-forge.ts'
import type {
  LocalForgePorts,
  LocalProject,
  StateChange,
} from '../../src/integrations/forges/local/local-project.ts'
import { mergePullRequest } from '../../src/integrations/forges/local/merge-pull-request.ts'
import { addComment } from '../../src/integrations/forges/local/pull-request-comments.ts'
import { readPullRequestDetail } from '../../src/integrations/forges/local/pull-request-detail.ts'

/** For tests: a project with a person's checkout of its repository. */
export interface LocalWorld extends ForgeWorld {
  ports: LocalForgePorts
  project: LocalProject
  changes: StateChange[]
  git: (...args: string[]) => string
}

const fill = copiesOf(async (folder) => {
  const git = await createGit({ dataFolder: join(folder, 'data'), environment: process.env })
  await createRepository(git, join(folder, 'origin.git'), {
    branch: 'main',
    files: [{ path: 'index.md', content: text('one\n') }],
    message: 'Start',
    author: someone,
    date: new Date('2026-01-02T03:04:05Z'),
  })
  plainGit(folder, ['clone', '--quiet', 'origin.git', 'person'])
  // It stands beside its origin, wherever both are copied to.
  plainGit(join(folder, 'person'), ['remote', 'set-url', 'origin', '../origin.git'])
  await openMirror(git, join(folder, 'mirror.git'))
  // Its files name folders, and each world makes its own.
  await rm(join(folder, 'data'), { recursive: true })
})

/** `checkout`: the registered folder is a work tree with `main` checked out, not a bare repository. */
export async function createLocalWorld(
  store: Store,
  options: { checkout?: boolean } = {},
): Promise<LocalWorld> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'docwright-forge-')))
  await fill(folder)
  const git = await createGit({ dataFolder: join(folder, 'data'), environment: process.env })
  const origin = join(folder, 'origin.git')
  const person = join(folder, 'person')
  const registered = options.checkout ? person : origin
  const id = newId('prj')
  const project: LocalProject = {
    id,
    domain: `docs-${id.slice(-12)}`,
    repository: await openMirror(git, join(folder, 'mirror.git')),
    remote: await remoteFromFolder(registered),
  }
  await store.transaction(async (tx) => {
    const organization_id = newId('org')
    await tx.insertInto('organizations').values({ id: organization_id, name: 'Test' }).execute()
    await tx
      .insertInto('projects')
      .values({
        id,
        organization_id,
        domain: project.domain,
        kind: 'path',
        location: registered,
        ref: 'main',
        root: '',
      })
      .execute()
  })
  const changes: StateChange[] = []
  const ports: LocalForgePorts = {
    store,
    onStateChange: async (_, change) => {
      changes.push(change)
    },
  }
  const runGit = (...args: string[]): string => plainGit(registered, args)
  return {
    forge: createLocalForge(ports, project),
    ports,
    project,
    changes,
    git: runGit,
    async push(branch, path, content, from = 'main') {
      // Into the registered repository itself, without touching its work tree.
      importCommit(registered, { branch, path, content, from })
    },
    async deleteBranch(branch) {
      runGit('update-ref', '-d', `refs/heads/${branch}`)
    },
    async merge(number) {
      await mergePullRequest(ports, project, { number, author: someone })
    },
    close: (number) => closePullRequest(ports, project, number),
    comment: (number, body) => addComment(store, project.id, number, { author: 'maintainer', body }),
    async readText(number) {
      const { title = '', body = '' } = (await readPullRequestDetail(ports, project, number)) ?? {}
      return { title, body }
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
