import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnBothEngines } from '../../../../tests/stores.ts'
import type { Hosts } from '../../../integrations/forges/hosts.ts'
import type { Store } from '../../../store/database.ts'
import { saveConnection } from '../../../features/connections/connections.ts'
import { decideVisibility } from './decide-visibility.ts'
import { insertOrganization } from '../../../features/projects/organizations.ts'
import { findProject, insertProject, updateSettings } from '../../../features/projects/projects.ts'

const hosts: Pick<Hosts, 'credentials'> = {
  credentials: [
    {
      kind: 'gitlab',
      site: 'https://lab.example.com',
      credential: { kind: 'token', token: 'of the server' },
    },
  ],
}

describeOnBothEngines('projects from before their pages had readers', (store) => {
  it('become private where the repository is read with a credential, and stay public elsewhere', async () => {
    const own = await add(store(), 'own', 'https://git.example.com/acme/docs.git')
    await store().transaction((tx) =>
      saveConnection(tx, [new Uint8Array(32)], {
        projectId: own,
        repository: { kind: 'git', site: 'https://git.example.com', path: 'acme/docs' },
        forkPath: undefined,
        credential: { kind: 'token', token: 'own' },
        login: undefined,
      }),
    )
    const server = await add(store(), 'server', 'https://lab.example.com/acme/docs.git')
    const other = await add(store(), 'other', 'https://lab.example.com.evil.example/acme/docs.git')
    const folder = await add(store(), 'folder', '/srv/docs.git')
    const isNew = await add(store(), 'new', '/srv/new.git')
    await store().transaction((tx) => updateSettings(tx, folder, () => ({ model: 'builtin' })))
    // The state after the migration.
    await store().transaction((tx) =>
      sql`update projects set settings = settings || '{"visibility": "undecided"}' where id <> ${isNew}`.execute(
        tx,
      ),
    )
    expect((await findProject(store().db, folder))?.settings).toEqual({ model: 'builtin' })

    const decided = await decideVisibility({ store: store(), hosts })
    expect(decided).toEqual({ closed: ['own', 'server'], open: ['other', 'folder'] })
    const settings = async (id: string) => (await findProject(store().db, id))?.settings
    expect(await settings(own)).toEqual({ visibility: 'signed-in' })
    expect(await settings(server)).toEqual({ visibility: 'signed-in' })
    expect(await settings(other)).toEqual({ visibility: 'public' })
    expect(await settings(folder)).toEqual({ visibility: 'public', model: 'builtin' })
    expect(await settings(isNew)).toEqual({})
    expect(await decideVisibility({ store: store(), hosts })).toEqual({ closed: [], open: [] })
  })
})

async function add(store: Store, domain: string, location: string): Promise<string> {
  return store.transaction(async (tx) => {
    const { id: organizationId } = await insertOrganization(tx, 'Test')
    const kind = location.startsWith('/') ? ('path' as const) : ('https' as const)
    const place = { kind, location, ref: 'main', root: '', site: undefined }
    return (await insertProject(tx, { organizationId, domain, ...place })).id
  })
}
