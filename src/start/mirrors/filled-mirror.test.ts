import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jobDiff } from '../../features/agent/workspace/job-work.ts'
import type { Project } from '../../features/projects/projects.ts'
import { evictMirror } from '../../integrations/git/mirrors/evict-mirror.ts'
import { plainGit } from '../../../tests/worlds/git/temporary-git.ts'
import { createFilledMirror } from './filled-mirror.ts'
import { createMirrorWorld, openTestServices } from '../../../tests/worlds/mirror-world.ts'
import type { Services } from '../services.ts'

let shared: Services
beforeAll(async () => {
  shared = await openTestServices()
})
afterAll(() => shared.close())

function diff(services: Services, project: Project, jobId: string): Promise<string | undefined> {
  // As after a restart: what the host was asked for is forgotten.
  const open = createFilledMirror<Project>(services)
  return jobDiff(services.store, { id: project.id, open: (commits) => open(project, commits) }, jobId)
}

it('shows the change of a job from wherever it can be had, and says when it is gone', async () => {
  const { services, origin, add, addJob, fill } = await createMirrorWorld(shared)
  const project = await add('docs')
  const mirror = await fill(project, 9)
  const base = plainGit(origin, ['rev-parse', 'main'])
  const blob = plainGit(origin, ['hash-object', '-w', '--stdin'], 'Hello\n')
  const tree = plainGit(origin, ['mktree'], `100644 blob ${blob}\tnew.md\n`)
  const head = plainGit(origin, ['commit-tree', tree, '-p', base, '-m', 'Change'])
  const id = await addJob(project, { status: 'completed', base, head })
  // Another server with a data folder of its own has pushed it: this mirror has never seen it.
  plainGit(origin, ['update-ref', 'refs/heads/docwright/a', head])
  expect(await diff(services, project, id)).toContain('+Hello')

  expect(await evictMirror(mirror)).toBe(true)
  expect(await diff(services, project, id)).toContain('+Hello')

  plainGit(origin, ['update-ref', '-d', 'refs/heads/docwright/a'])
  await evictMirror(mirror)
  await expect(diff(services, project, id)).rejects.toMatchObject({
    code: 'not_found',
    message:
      'The change is no longer in the repository, because its branch docwright/a was deleted or rewritten there: its pull request may still show it (https://host/pulls/7)',
  })
})

it('fetches a mirror again that was made and never filled, and asks a host for lost commits only now and then', async () => {
  const { services, origin, add } = await createMirrorWorld(shared)
  const project = await add('docs')
  // As a fetch leaves it that found the host away.
  const mirror = await services.mirror(project)
  const open = createFilledMirror<Project>(services)
  await open(project)
  expect(plainGit(mirror.folder, ['rev-parse', 'main'])).toBe(plainGit(origin, ['rev-parse', 'main']))
  const lost = '1'.repeat(40)
  await open(project, [lost])
  await rm(origin, { recursive: true })
  expect((await open(project, [lost])).folder).toBe(mirror.folder)
  await expect(createFilledMirror<Project>(services)(project, [lost])).rejects.toMatchObject({
    code: 'not_found',
  })
})
