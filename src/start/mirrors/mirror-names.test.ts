import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMirrorWorld, openTestServices } from '../../../tests/worlds/mirror-world.ts'
import { insertOrganization } from '../../features/projects/organizations.ts'
import { insertProject, type Project } from '../../features/projects/projects.ts'
import type { Services } from '../services.ts'
import { separateMirrors } from './mirror-names.ts'

let shared: Services
beforeAll(async () => {
  shared = await openTestServices()
})
afterAll(() => shared.close())

it('keeps what an organization fetches from the others, also what older versions fetched for all', async () => {
  const { services, add, fill } = await createMirrorWorld(shared)
  const { store } = services
  const one = await add('one')
  const alone = await add('alone')
  const elsewhere = (of: Project): Promise<Project> =>
    store.transaction(async (tx) => {
      const { id: organizationId } = await insertOrganization(tx, 'Other')
      const { kind, location } = of
      return insertProject(tx, {
        organizationId,
        domain: `${of.domain}-2`,
        kind,
        location,
        ref: 'main',
        root: '',
      })
    })
  const other = await elsewhere(one)
  const [ours, theirs] = [await fill(one, 1), await services.mirror(other)]
  expect(ours.folder).not.toBe(theirs.folder)
  expect((await services.mirror({ ...one, id: 'prj_second' })).folder).toBe(ours.folder)
  const folder = await add('folder', { kind: 'path' })
  expect((await services.mirror(await elsewhere(folder))).folder).toBe((await services.mirror(folder)).folder)

  const mirrors = dirname(ours.folder)
  const former = ({ location }: Project): string =>
    join(mirrors, `${createHash('sha256').update(location).digest('hex').slice(0, 24)}.git`)
  const own = await fill(alone, 1)
  await rename(own.folder, former(alone))
  await rename(ours.folder, former(one))
  await separateMirrors(store.db, mirrors)
  expect([former(alone), own.folder, former(one), ours.folder].map((path) => existsSync(path))).toEqual([
    false,
    true,
    true,
    false,
  ])
})
