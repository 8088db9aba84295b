import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { createSigner, demandSignatures } from '../../../../tests/worlds/git/signer.ts'
import { plainGit } from '../../../../tests/worlds/git/temporary-git.ts'
import { serveGit } from '../../../../tests/worlds/hosts/git-backend.ts'
import { createJobWorld, type JobWorld } from '../../../../tests/worlds/job-world.ts'
import { brittleModel } from '../../../../tests/worlds/scripted-model.ts'
import { plainForge } from '../../../integrations/forges/plain-git.ts'
import { remoteFromUrl } from '../../../integrations/git/remote.ts'
import type { SignOff } from '../../../integrations/git/trees/sign-off.ts'
import type { SigningKey } from '../../../lib/signing-key.ts'
import type { Store } from '../../../store/database.ts'
import { runJob } from '../loop/run-job.ts'
import type { RunPorts } from '../turns/turn-run.ts'

const server = 'Docwright <docwright@example.com>'
const ada = 'Ada King Jr <ada@example.com>'

describeOnStore('commits of jobs', (store) => {
  it('are refused by a repository that demands a signature and a sign-off, until they carry both', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    const { key, allowedSigners } = await createSigner('docwright@example.com')
    const bare = join(world.folder, 'origin.git')
    await mkdir(join(bare, 'hooks'), { recursive: true })
    await demandSignatures(bare, allowedSigners)
    const url = await serve(bare)
    const portsOf = (signOff: SignOff, signingKey: SigningKey | undefined) =>
      portsFor(world, { signOff, signingKey, url })
    const { id, branch } = await world.create('write a.md: one\n')
    for (const [ports, code] of [
      [portsOf('server', undefined), 'unsigned_commit'],
      [portsOf('off', key), 'push_refused'],
    ] as const) {
      await runJob(ports, id)
      expect(await world.read(id)).toMatchObject({ status: 'failed', failure: { code } })
      await world.message(id, 'write a.md: one\n')
    }
    await runJob(portsOf('server', key), id)
    expect(await world.read(id)).toMatchObject({ status: 'completed' })
    expect(trailers(bare, branch)).toContain(`Signed-off-by: ${server}`)
    // The base moves, so that the next commit is a merge.
    const other = plainGit(bare, ['commit-tree', 'main^{tree}', '-p', 'main', '-m', 'Other'])
    plainGit(bare, ['update-ref', 'refs/heads/main', other])
    await addAda(store())
    await world.message(id, 'write b.md: two\n')
    await askedByAda(store(), id)
    await runJob(portsOf('person', key), id)
    expect(await world.read(id)).toMatchObject({ status: 'completed' })
    expect(plainGit(bare, ['log', '-1', '--format=%an <%ae>|%cn <%ce>', branch])).toBe(`${ada}|${server}`)
    expect(plainGit(bare, ['rev-list', '--parents', '-1', branch]).split(' ')).toHaveLength(3)
    expect(trailers(bare, branch)).toContain(`Signed-off-by: ${ada}`)
    // Nobody is known who asked for this.
    await world.message(id, 'write c.md: three\n')
    await runJob(portsOf('person', key), id)
    expect(await world.read(id)).toMatchObject({ status: 'completed' })
    expect(trailers(bare, branch)).toContain(`Signed-off-by: ${server}`)
  })

  it('name a person once who is the author and wants to be named', async () => {
    await using world = await createJobWorld(store(), brittleModel())
    await addAda(store(), true)
    const { id, branch } = await world.create('write a.md: one\n')
    await askedByAda(store(), id)
    await runJob(portsFor(world, { signOff: 'server', signingKey: undefined }), id)
    const bare = join(world.folder, 'origin.git')
    expect(trailers(bare, branch)).toEqual(
      expect.arrayContaining([`Co-authored-by: Ada King Jr. <ada@example.com>`, `Signed-off-by: ${server}`]),
    )
    await world.message(id, 'write b.md: two\n')
    await askedByAda(store(), id)
    await runJob(portsFor(world, { signOff: 'person', signingKey: undefined }), id)
    expect(trailers(bare, branch).filter((line) => line.includes('ada@'))).toEqual([`Signed-off-by: ${ada}`])
  })
})

function portsFor(
  world: JobWorld,
  { signOff, signingKey, url }: { signOff: SignOff; signingKey: SigningKey | undefined; url?: string },
): RunPorts {
  const project = {
    ...world.project,
    ...(url !== undefined && { remote: remoteFromUrl(url) }),
    settings: { ...world.project.settings, signOff },
  }
  return {
    ...world.ports,
    author: { ...world.ports.author, signingKey },
    openProject: () => Promise.resolve(project),
    ...(url !== undefined && { forgeFor: () => plainForge }),
  }
}

async function serve(folder: string): Promise<string> {
  const http = createServer(serveGit({ find: () => folder, allows: () => true }))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => http.close().closeAllConnections())
  const address = http.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/docs.git`
}

function trailers(folder: string, branch: string): string[] {
  return plainGit(folder, ['log', '-1', '--format=%(trailers:unfold)', branch]).split('\n')
}

const adaId = 'per_ada'

async function addAda(store: Store, isNamed = false): Promise<void> {
  const person = { id: adaId, name: 'Ada King Jr.', email: 'ada@example.com', co_author: isNamed }
  await store.transaction((tx) =>
    tx
      .insertInto('people')
      .values(person)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(person))
      .execute(),
  )
}

async function askedByAda(store: Store, jobId: string): Promise<void> {
  await store.transaction((tx) =>
    tx
      .updateTable('turns')
      .set({ person_id: adaId })
      .where('job_id', '=', jobId)
      .where('status', '=', 'queued')
      .execute(),
  )
}
