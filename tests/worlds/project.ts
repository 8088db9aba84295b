import { newId } from '../../src/lib/ids.ts'
import { json, type Store } from '../../src/store/database.ts'

/** A project without pages in an organization of its own. @returns the id of both, which is the domain too */
export async function insertProject(store: Store): Promise<string> {
  const id = newId('prj')
  await store.transaction(async (tx) => {
    await tx.insertInto('organizations').values({ id, name: id }).execute()
    await tx
      .insertInto('projects')
      .values({
        id,
        organization_id: id,
        domain: id,
        kind: 'path',
        location: '/',
        ref: 'main',
        root: '',
        sync_progress: json(null),
      })
      .execute()
  })
  return id
}
