import { existsSync } from 'node:fs'
import { mkdir, readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { resolveReference } from '../../integrations/git/resolve-reference.ts'
import { plainGit } from '../../../tests/worlds/git/temporary-git.ts'
import { updateReference } from '../../integrations/git/update-reference.ts'
import { json } from '../../store/database.ts'
import { dataPaths } from '../data-folder.ts'
import { evictMirrors } from './evict-mirrors.ts'
import { createMirrorWorld, openTestServices } from '../../../tests/worlds/mirror-world.ts'
import type { Services } from '../services.ts'

let shared: Services
beforeAll(async () => {
  shared = await openTestServices()
})
afterAll(() => shared.close())

it('drops what nobody needed for longest, as few as it must, also from several processes at once', async () => {
  const { services, add, fill } = await createMirrorWorld(shared, 2)
  const projects = [await add('one'), await add('two'), await add('three')] as const
  const [one, two, three] = [
    await fill(projects[0], 3),
    await fill(projects[1], 5),
    await fill(projects[2], 4),
  ]
  // One that opened mirrors would make those again that the other has just dropped, and drop more.
  const process: Services = { ...services, mirror: () => Promise.reject(new Error('opens a mirror')) }
  await Promise.all([evictMirrors(process), evictMirrors(process)])
  expect([one, two, three].map(({ folder }) => existsSync(folder))).toEqual([true, false, true])
  // Its pages are still there; the next who needs it has it fetched.
  const back = await services.filledMirror(projects[1])
  expect(back.folder).toBe(two.folder)
  expect(await resolveReference(back, 'refs/heads/main')).toBeDefined()
})

it('keeps mirrors that are in use or not to be had again, whatever the limit', async () => {
  const world = await createMirrorWorld(shared, 1)
  const { services, add, fill } = world
  const { store } = services
  const idle = await fill(await add('idle'), 9)
  const recent = await fill(await add('recent'), 0.5)
  const folder = await fill(await add('folder', { kind: 'path' }), 9)
  const own = await fill(await add('own'), 9)
  const head = (await resolveReference(own, 'refs/heads/main')) ?? ''
  await updateReference(own, { reference: 'refs/docwright/kept', commit: head })
  const busyProject = await add('busy')
  const busy = await fill(busyProject, 9)
  const context = { kind: 'https', location: world.addressOf('context') } as const
  const read = await fill({ ...context, organizationId: busyProject.organizationId }, 9)
  await store.transaction(async (tx) => {
    const contextRepositories = [{ name: 'context', ref: 'main', ...context }]
    await tx
      .updateTable('projects')
      .set({ settings: json({ contextRepositories }) })
      .where('id', '=', busyProject.id)
      .execute()
  })
  await world.addJob(busyProject, { status: 'active' })
  await evictMirrors(services)
  expect(existsSync(idle.folder)).toBe(false)
  expect([recent, folder, own, busy, read].map((one) => existsSync(one.folder))).toEqual([
    true,
    true,
    true,
    true,
    true,
  ])
})

it('drops what belongs to no project, without any limit, and what killed processes left', async () => {
  const { services, add, fill, addressOf } = await createMirrorWorld(shared)
  const kept = await fill(await add('kept'), 9)
  const forked = await add('forked')
  const before = await fill(forked, 9)
  const { store } = services
  await store.transaction((tx) => tx.deleteFrom('projects').where('id', '=', forked.id).execute())
  const { organizationId } = forked
  const removed = await fill({ kind: 'https', location: addressOf('removed'), organizationId }, 9)
  const fresh = await fill({ kind: 'https', location: addressOf('fresh'), organizationId }, 0)
  await mkdir(`${removed.folder}.half`)
  const left = `${kept.folder}.draft-aB3dEf`
  await mkdir(left)
  await utimes(left, new Date(0), new Date(0))
  await evictMirrors(services)
  const { mirrors } = dataPaths(services.config.dataFolder)
  expect((await readdir(mirrors)).map((name) => join(mirrors, name)).toSorted()).toEqual(
    [kept.folder, fresh.folder].toSorted(),
  )
  expect(existsSync(before.folder)).toBe(false)
  expect(plainGit(kept.folder, ['rev-parse', '--verify', '-q', 'main'])).not.toBe('')
})
