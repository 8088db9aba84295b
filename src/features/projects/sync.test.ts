import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnBothEngines } from '../../../tests/stores.ts'
import { takeDueSyncs } from './sync.ts'

describeOnBothEngines('projects that are due', (store) => {
  it('are taken once in an interval, however many processes look', async () => {
    await store().transaction(async (tx) => {
      await sql`insert into organizations (id, name) values ('org_due', 'Due')`.execute(tx)
      await sql`
        insert into projects (id, organization_id, domain, kind, location, ref, root)
        select 'prj_due' || n, 'org_due', 'due-' || n, 'path', '/tmp/x', 'main', '' from generate_series(1, 20) n
      `.execute(tx)
    })
    const take = (): Promise<string[]> => store().transaction((tx) => takeDueSyncs(tx, 60))
    const taken = await Promise.all([take(), take(), take(), take()])
    expect(taken.flat().toSorted()).toEqual(
      Array.from({ length: 20 }, (_, n) => `prj_due${n + 1}`).toSorted(),
    )
    expect(await take()).toEqual([])
    await sql`update projects set sync_due_at = sync_due_at - interval '61 seconds' where id = 'prj_due7'`.execute(
      store().db,
    )
    expect(await take()).toEqual(['prj_due7'])
    // After a pause of hours it comes once, not as often as it was left out.
    await sql`update projects set sync_due_at = now() - interval '5 hours' where id = 'prj_due7'`.execute(
      store().db,
    )
    expect(await take()).toEqual(['prj_due7'])
    expect(await take()).toEqual([])
  })
})
